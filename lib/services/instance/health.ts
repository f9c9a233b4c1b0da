import { pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { type Disk, readDisks } from '#lib/services/instance/disks'
import { type Queues, readQueues } from '#lib/services/instance/queues'

const VERSION = '0.1.0'
const MINUTE = 60_000
/** Due work that waits longer than this is not being processed. */
const LAG_MS = 3 * MINUTE
/** The sweep runs once an hour: after this long without one, background functions count as late, and later as stopped. */
const SILENT_MS = 75 * MINUTE
const GONE_MS = 135 * MINUTE
/** An instance that never ran a sweep counts as down after this: every process requests one when it starts. */
const NEVER_MS = 15 * MINUTE
/** A webhook's receiver may be slow, and its deliveries are sequential. */
const DELIVERY_LAG_MS = 10 * MINUTE
/** A single lost DNS answer means nothing. */
const DNS_SILENT = 3
const SCARCE_BYTES = 1024 ** 3
const FULL_BYTES = 64 * 1024 ** 2

export type Part = { status: 'ok' | 'degraded' | 'down'; message: string; since: Date | null }

/** Facts about the machine that a process runs on. */
export type Machine = { started_at: Date; disks: () => Promise<Disk[]> }

const ok = (message: string): Part => ({ status: 'ok', message, since: null })
const several = (count: number, one: string, many: string) =>
  count === 1 ? `One ${one}` : `${count} ${many}`

/** The state of each part of the instance. `provider_unavailable` (503) if the database cannot be reached. */
export async function readHealth(now: Date, machine: Machine = thisMachine) {
  const [queues, facts] = await Promise.all([readQueues(now), readFacts()]).catch((cause: unknown) => {
    throw new AppError('provider_unavailable', { message: 'The database cannot be reached.', cause })
  })
  const parts = {
    database: database(facts),
    engine: engine(queues, machine.started_at, now),
    queue: queue(queues, now),
    mail: mail(facts),
    dns: dns(facts),
    storage: storage(await machine.disks()),
  }
  const degraded = Object.entries(parts)
    .filter(([, { status }]) => status !== 'ok')
    .map(([part, { message }]) => ({ part, message }))
  const status = degraded.length > 0 ? ('degraded' as const) : ('ok' as const)
  return { status, version: VERSION, time: now, parts, degraded }
}

type Facts = {
  is_read_only: boolean
  failing: number
  unread: number
  mail_since: Date | null
  unanswered: number
  dns_since: Date | null
}

async function readFacts(): Promise<Facts> {
  const { rows } = await pool().query<Facts>(
    `SELECT current_setting('transaction_read_only') = 'on' AS is_read_only, m.*, d.*
     FROM (SELECT count(*) FILTER (WHERE status = 'failing')::int AS failing,
         count(*) FILTER (WHERE inbox_error IS NOT NULL)::int AS unread,
         min(coalesce(failing_since, updated_at)) FILTER (WHERE status = 'failing' OR inbox_error IS NOT NULL) AS mail_since
       FROM mailboxes) m,
       (SELECT count(*)::int AS unanswered, min(checked_at) AS dns_since
        FROM mail_domains WHERE unanswered >= ${DNS_SILENT}) d`,
  )
  if (!rows[0]) throw new Error('The query of the facts answers one row.')
  return rows[0]
}

function database({ is_read_only }: Facts): Part {
  if (!is_read_only) return ok('The database answers.')
  return { status: 'degraded', message: 'The database does not accept writes.', since: null }
}

function engine({ swept_at }: Queues, startedAt: Date, now: Date): Part {
  const silentSince = swept_at ?? startedAt
  const silent = now.getTime() - silentSince.getTime()
  if (silent <= (swept_at ? SILENT_MS : LAG_MS)) return ok('The background functions run.')
  return {
    status: silent > (swept_at ? GONE_MS : NEVER_MS) ? 'down' : 'degraded',
    message: swept_at
      ? 'The background functions do not seem to be running. Nothing is sent or read.'
      : 'No background function has ever run. Is the engine or Inngest set up?',
    since: silentSince,
  }
}

function queue({ campaigns_due, oldest_slot_at, oldest_delivery_at }: Queues, now: Date): Part {
  const isOld = (at: Date | null, lag: number) => at !== null && now.getTime() - at.getTime() > lag
  if (isOld(oldest_slot_at, LAG_MS)) {
    const message = `${several(campaigns_due, 'campaign waits', 'campaigns wait')} to be looked at by the background functions.`
    return { status: 'degraded', message, since: oldest_slot_at }
  }
  if (isOld(oldest_delivery_at, DELIVERY_LAG_MS))
    return { status: 'degraded', message: 'Webhooks are delivered late.', since: oldest_delivery_at }
  return ok('Nothing is overdue.')
}

function mail({ failing, unread, mail_since }: Facts): Part {
  const faults = [
    failing > 0 && `${several(failing, 'mailbox', 'mailboxes')} cannot send.`,
    unread > 0 &&
      `The incoming mail of ${several(unread, 'mailbox', 'mailboxes').toLowerCase()} cannot be read.`,
  ].filter((fault) => fault !== false)
  if (faults.length === 0) return ok('All mailboxes are connected.')
  return { status: 'degraded', message: faults.join(' '), since: mail_since }
}

function dns({ unanswered, dns_since }: Facts): Part {
  if (unanswered === 0) return ok('DNS answers.')
  const message = `DNS does not answer for ${several(unanswered, 'mail domain', 'mail domains').toLowerCase()}.`
  return { status: 'degraded', message, since: dns_since }
}

function storage(disks: Disk[]): Part {
  const [fullest] = disks.toSorted((a, b) => a.free_bytes - b.free_bytes)
  if (!fullest) return ok('Kept elsewhere.')
  if (fullest.free_bytes >= SCARCE_BYTES) return ok('There is enough disk space.')
  const scarce = disks.filter(({ free_bytes }) => free_bytes < SCARCE_BYTES)
  const message = scarce
    .map(({ of, free_bytes }) => `The disk of ${of} has ${Math.floor(free_bytes / 1024 ** 2)} MiB left.`)
    .join(' ')
  return { status: fullest.free_bytes < FULL_BYTES ? 'down' : 'degraded', message, since: null }
}

const thisMachine: Machine = {
  started_at: new Date(Date.now() - process.uptime() * 1000),
  disks: () => readDisks(process.env),
}
