import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import { recordResults } from '#lib/services/sending/record'

/**
 * A worker that has not renewed its leases for this long is considered dead. Short, because its actions stand still until then; a
 * worker that only seemed dead can still record its outcomes.
 */
export const LEASE_MS = 30_000
/** Short enough that several renewals may fail before a lease runs out. */
export const HEARTBEAT_MS = 5_000

const BATCH = 500

/**
 * Marks actions whose lease ran out without a report as `uncertain`. Nobody knows whether they were offered, so they are never
 * offered again automatically. Returns how many there were.
 */
export async function expireLeases(pool: Pool, now: Date): Promise<number> {
  let expired = 0
  for (;;) {
    const { rows } = await pool.query<{ action_id: string; campaign_id: string }>(
      `SELECT action_id, campaign_id FROM actions WHERE status = 'sending' AND lease_until < $1
       ORDER BY lease_until LIMIT ${BATCH}`,
      [now],
    )
    const outcome = {
      outcome: 'unknown' as const,
      response: 'The worker sending it stopped before reporting the result.',
    }
    expired += await recordResults(
      pool,
      rows.map((row) => ({ ...row, outcome })),
      { expired: now },
      now,
    )
    if (rows.length < BATCH) return expired
  }
}

/** Leases with more time left are not renewed: most actions finish before they need it. */
const RENEW_BELOW_MS = 20_000

/** Renews the leases of everything a worker has under way. */
export async function renewLeases(pool: Pool, worker: string, now: Date): Promise<void> {
  await pool.query(
    `UPDATE actions SET lease_until = $2 WHERE lease_owner = $1 AND status = 'sending' AND lease_until <= $3`,
    [worker, new Date(now.getTime() + LEASE_MS), new Date(now.getTime() + RENEW_BELOW_MS)],
  )
}

/**
 * Tells a worker whether its claims are still its own, as far as it can know. A worker that slept (suspended machine, stopped
 * process) must not send what it claimed before: the window may be over, a reply may be there, another worker may have sent it.
 */
export function createHold(clock: () => Date) {
  let renewedAt = clock().getTime()
  let lapsedAt = Number.NEGATIVE_INFINITY
  return {
    /** Call after renewing all leases, with the time at which that statement began. */
    renewed: (at: Date) => {
      if (at.getTime() - renewedAt > RENEW_BELOW_MS) lapsedAt = at.getTime()
      renewedAt = at.getTime()
    },
    /** Whether something claimed at that time is still held. */
    stands: (claimedAt: Date) => {
      const claimed = claimedAt.getTime()
      const until = Math.max(claimed + LEASE_MS, renewedAt + RENEW_BELOW_MS)
      return claimed > lapsedAt && clock().getTime() <= until
    },
  }
}

/**
 * Returns actions that a worker claimed without knowing it, because the reply to its commit was lost. They were never offered.
 * `known` are the actions the worker does know of.
 */
export async function releaseUnacknowledged(
  pool: Pool,
  worker: string,
  known: string[],
  now: Date,
): Promise<void> {
  const { rows } = await pool.query<{ action_id: string; campaign_id: string }>(
    `SELECT action_id, campaign_id FROM actions
     WHERE lease_owner = $1 AND status = 'sending' AND NOT action_id = ANY ($2)`,
    [worker, known],
  )
  const outcome = {
    outcome: 'never_left' as const,
    response: 'The database connection was lost while this was being claimed.',
  }
  await recordResults(
    pool,
    rows.map((row) => ({ ...row, outcome })),
    { worker },
    now,
  )
}

/** What is due now, and when the next thing will be. */
export type Look = {
  /** Some leads waited for another campaign that has ended. They are woken before anything is claimed. */
  has_wakes: boolean
  /** How many campaigns are due, counted up to 2. */
  due: number
  /** The earliest slot of any campaign, or the next instant if a lead must be woken then; null if there is neither. */
  next_slot_at: Date | null
  /** When the first lease of any action under way runs out; only then may it be judged. Null if none is under way. */
  next_lease_end: Date | null
}

const LOOK = `SELECT EXISTS (SELECT 1 FROM contact_wakes WHERE at IS DISTINCT FROM $1) AS has_wakes,
  (SELECT count(*)::int FROM (SELECT 1 FROM campaigns WHERE status IN ('active', 'draining') AND next_slot_at <= $1
     AND NOT campaign_id = ANY ($2) ORDER BY next_slot_at LIMIT 2) slots) AS due,
  least((SELECT min(next_slot_at) FROM campaigns WHERE status IN ('active', 'draining')),
    (SELECT at + interval '1 millisecond' FROM contact_wakes WHERE at = $1 LIMIT 1)) AS next_slot_at,
  (SELECT min(lease_until) FROM actions WHERE status = 'sending') AS next_lease_end`

/**
 * One cheap statement (the first entries of four indexes, no locks). For campaigns that send one mail at a time most looks find
 * nothing to do.
 */
export async function lookAhead(pool: Pool, now: Date, except: string[] = []): Promise<Look> {
  const { rows } = await pool.query<Look>(prepared(LOOK, [now, except]))
  return rows[0] ?? { has_wakes: false, due: 0, next_slot_at: null, next_lease_end: null }
}
