import { randomUUID } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import type { Pool } from 'pg'
import { Webhook } from 'standardwebhooks'
import { unseal } from '#lib/db/seal'
import { timedProvider } from '#lib/metrics'
import type { HttpAnswer, HttpPost } from '#lib/providers/outbound-http'
import { type DueDelivery, recordAttempt, type Turn } from '#lib/services/telling/record-delivery'
import { webhookPayload } from '#lib/services/telling/webhook-deliveries'

export type DeliverOptions = {
  pool: Pool
  post: (post: HttpPost) => Promise<HttpAnswer>
  clock: () => Date
  /** No attempt is begun after this instant. */
  until: Date
  /** No attempt is begun once this returns true: the process is about to end. */
  stopping?: () => boolean
  /** Uniform in [0, 1): the jitter of retries. */
  chance: () => number
}

export type Delivered = { attempts: number; delivered: number }

/** Webhooks served at once. Each has one attempt at a time, so that its events arrive in order. */
const LANES = 16
/** Of those, at most this many of one owner, so that other owners always find a free lane. */
const LANES_OF_OWNER = 4
/** How often new work is looked for while all lanes in use wait for slow responses. */
const LOOK_MS = 500
/** How long one webhook is served before the next in line has its turn. */
const TURN_MS = 8_000
const TIMEOUT_MS = 15_000
/** Longer than a turn with its last attempt; a worker that has not reported by then is considered dead. */
const LEASE_MS = 60_000
const BATCH = 20

/**
 * Attempts due deliveries, webhook by webhook, the longest unserved first, a limited number per owner at a time. If a worker dies, its
 * lease expires and the attempt is repeated: at-least-once delivery, under the same webhook-id.
 */
export async function deliverWebhooks(options: DeliverOptions): Promise<Delivered> {
  const worker = randomUUID()
  const done: Delivered = { attempts: 0, delivered: 0 }
  const lanes = new Map<string, number>()
  const countLanes = (owner: string) => lanes.get(owner) ?? 0
  const next = async (): Promise<Turn | null> => {
    if (options.clock() >= options.until || options.stopping?.()) return null
    const full = [...lanes.keys()].filter((owner) => countLanes(owner) >= LANES_OF_OWNER)
    const turn = await takeTurn(options, worker, full)
    if (turn) lanes.set(turn.workspace_id, countLanes(turn.workspace_id) + 1)
    return turn
  }
  const work = async (turn: Turn) => {
    try {
      await serve(options, turn, done)
    } finally {
      lanes.set(turn.workspace_id, countLanes(turn.workspace_id) - 1)
      await options.pool.query(
        'UPDATE webhooks SET lease_until = NULL, lease_owner = NULL WHERE webhook_id = $1 AND lease_owner = $2',
        [turn.webhook_id, worker],
      )
    }
  }
  const busy = new Set<Promise<void>>()
  const faults: unknown[] = []
  for (;;) {
    // Read before the claim, because a lane that ends meanwhile may leave more to serve.
    const wasIdle = busy.size === 0
    const turn = busy.size < LANES && faults.length === 0 ? await next() : null
    if (turn) {
      const lane = work(turn)
        .catch((fault: unknown) => void faults.push(fault))
        .finally(() => busy.delete(lane))
      busy.add(lane)
    } else if (wasIdle) break
    // Wakes when a lane is free again, or to look for new work for a free lane.
    else if (busy.size > 0) await Promise.race([...busy, later(LOOK_MS)])
  }
  if (faults.length > 0) throw faults[0]
  return done
}

async function takeTurn(
  { pool, clock }: DeliverOptions,
  worker: string,
  /** Owners whose lanes are all in use. */
  full: string[],
): Promise<Turn | null> {
  const now = clock()
  const { rows } = await pool.query<Turn>(
    `UPDATE webhooks SET lease_until = $2, lease_owner = $3, served_at = $1
     WHERE webhook_id = (
       SELECT w.webhook_id FROM webhooks w
       WHERE w.enabled AND (w.retry_after IS NULL OR w.retry_after <= $1)
         AND (w.lease_until IS NULL OR w.lease_until <= $1) AND w.workspace_id <> ALL ($4::uuid[])
         AND EXISTS (SELECT 1 FROM webhook_deliveries d
           WHERE d.webhook_id = w.webhook_id AND d.status = 'pending' AND d.next_attempt_at <= $1)
       ORDER BY w.served_at NULLS FIRST, w.webhook_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING webhook_id, workspace_id, url, secret, previous_secret, previous_secret_until`,
    [now, new Date(now.getTime() + LEASE_MS), worker, full],
  )
  return rows[0] ?? null
}

async function serve(options: DeliverOptions, turn: Turn, done: Delivered): Promise<void> {
  const { pool, clock } = options
  const end = new Date(Math.min(options.until.getTime(), clock().getTime() + TURN_MS))
  for (;;) {
    const { rows } = await pool.query<DueDelivery>(
      `SELECT d.delivery_id, d.tries, d.next_attempt_at, e.event_id, e.type, e.at, e.data
       FROM webhook_deliveries d JOIN webhook_events e USING (event_id)
       WHERE d.webhook_id = $1 AND d.status = 'pending' AND d.next_attempt_at <= $2
       ORDER BY d.next_attempt_at, d.position LIMIT ${BATCH}`,
      [turn.webhook_id, clock()],
    )
    if (rows.length === 0) return
    for (const delivery of rows) {
      if (clock() >= end || options.stopping?.()) return
      const started = clock()
      const answer = await attempt(options, turn, delivery, started)
      const attempted = { started, ended: clock(), answer, chance: options.chance() }
      done.attempts += 1
      const { delivered, goes_on } = await recordAttempt(pool, turn, delivery, attempted)
      if (delivered) done.delivered += 1
      if (!goes_on) return
    }
  }
}

async function attempt(
  { post }: DeliverOptions,
  turn: Turn,
  delivery: DueDelivery,
  at: Date,
): Promise<HttpAnswer> {
  const body = webhookPayload(delivery)
  let signature: string
  try {
    signature = signatures(turn, delivery.event_id, at, body)
  } catch {
    const error = 'The signing secret cannot be decrypted. Was ENCRYPTION_KEY changed? Rotate it.'
    return { status: null, error, reason: 'unreachable' }
  }
  const request = {
    url: turn.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Opener-Webhooks/1',
      'webhook-id': delivery.event_id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
      'webhook-signature': signature,
    },
    body,
    timeout_ms: TIMEOUT_MS,
  }
  return timedProvider('webhook', () => post(request))
}

/** Standard Webhooks: one signature per valid secret, separated by spaces; the receiver needs to know one of them. */
function signatures(turn: Turn, id: string, at: Date, body: string): string {
  const { secret, previous_secret, previous_secret_until } = turn
  const isBefore = previous_secret && previous_secret_until && previous_secret_until > at
  return [secret, ...(isBefore ? [previous_secret] : [])]
    .map((sealed) => new Webhook(unseal(sealed)).sign(id, at, body))
    .join(' ')
}
