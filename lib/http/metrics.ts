import { createHash, timingSafeEqual } from 'node:crypto'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { metricsText, type Reading } from '#lib/metrics'
import { isLoopback } from '#lib/services/instance/network-exposure'
import { type Queues, readQueues } from '#lib/services/instance/queues'

/** Concurrent scrapes share one database read. */
const FRESH_MS = 5_000

let last: { at: number; readings: Promise<Reading[]> } | undefined

/** GET /metrics in the text format of Prometheus. */
export async function serveMetrics(request: Request): Promise<Response> {
  requireScraper(request)
  const now = Date.now()
  if (!last || now - last.at > FRESH_MS) last = { at: now, readings: readingsAt(new Date(now)) }
  const { text, content_type } = await metricsText(await last.readings)
  return new Response(text, { headers: { 'content-type': content_type } })
}

/**
 * With METRICS_TOKEN set, a request must carry it. Without it only this machine may read, and only if the web server listens on
 * loopback, since client addresses in a request can be forged. Others get a 404.
 */
function requireScraper(request: Request): void {
  const token = env().METRICS_TOKEN
  if (!token) {
    if (!isFromHere(request)) throw new AppError('not_found')
    return
  }
  const given = request.headers.get('authorization')?.match(/^bearer +(\S+)$/i)?.[1] ?? ''
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(token))) throw new AppError('unauthenticated')
}

function isFromHere({ headers }: Request): boolean {
  const bound = env().HOST ?? ''
  const asked = (headers.get('host') ?? '').replace(/:\d+$/, '')
  const senders = (headers.get('x-forwarded-for') ?? '').split(',').map((sender) => sender.trim())
  return [bound, asked, ...senders.filter(Boolean)].every(isLoopback)
}

/** A database that cannot be reached is a reading of its own: the process's counters must still be served then. */
async function readingsAt(now: Date): Promise<Reading[]> {
  const queues = await readQueues(now).catch(() => null)
  const up = { name: 'opener_database_up', help: 'Whether the database answers.', value: queues ? 1 : 0 }
  return queues ? [up, ...takeReadings(queues, now)] : [up]
}

function takeReadings(queues: Queues, now: Date): Reading[] {
  const since = (at: Date | null) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0)
  const actions =
    'Actions of the ledger that are not over: offered now, offered by a worker that is not heard of any more, or uncertain.'
  return [
    reading('opener_due_campaigns', 'Campaigns whose next slot has come.', queues.campaigns_due),
    reading(
      'opener_dispatch_lag_seconds',
      'By how much the oldest slot is overdue.',
      since(queues.oldest_slot_at),
    ),
    reading('opener_due_leads', 'Leads due in those campaigns, at most 10,000 of each.', queues.leads_due),
    { ...reading('opener_open_actions', actions, queues.actions_sending), labels: { state: 'sending' } },
    { ...reading('opener_open_actions', actions, queues.actions_unheard), labels: { state: 'unheard' } },
    { ...reading('opener_open_actions', actions, queues.actions_uncertain), labels: { state: 'uncertain' } },
    reading(
      'opener_webhook_deliveries_pending',
      'Deliveries that are to be attempted.',
      queues.deliveries_pending,
    ),
    reading(
      'opener_webhook_lag_seconds',
      'By how much the oldest attempt is overdue.',
      since(queues.oldest_delivery_at),
    ),
    reading(
      'opener_notifications_queued',
      'Messages to owners that have not left.',
      queues.notifications_queued,
    ),
    reading(
      'opener_backfills_open',
      'Rewriting of rows that an upgrade began and that has not ended.',
      queues.backfills_open,
    ),
    reading('opener_engine_jobs_due', 'Jobs of the embedded engine whose time has come.', queues.engine_jobs),
    reading(
      'opener_engine_runs_open',
      'Runs of background functions that have not ended.',
      queues.engine_runs,
    ),
    reading(
      'opener_last_sweep_timestamp_seconds',
      'When the background functions last looked for due actions.',
      queues.swept_at && queues.swept_at.getTime() / 1000,
    ),
  ]
}

const reading = (name: string, help: string, value: number | null): Reading => ({ name, help, value })
