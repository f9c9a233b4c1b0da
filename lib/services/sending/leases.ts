import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import { recordResults } from '#lib/services/sending/record'

/**
 * A worker that has not renewed its lease for so long is taken for dead. Short, since what it was sending stands still
 * until then; a worker that only seemed dead records its outcomes all the same.
 */
export const LEASE_MS = 30_000
/** Several renewals may fail before a lease runs out. */
export const HEARTBEAT_MS = 5_000

const BATCH = 500

/**
 * Actions whose worker did not report before its lease ran out become `uncertain`: it is not known whether they were
 * offered, so they are never offered again by themselves. Answers how many.
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
      response: 'The worker that was sending it stopped before it reported.',
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

/** A lease that has longer to go is left alone: most actions are done before theirs needs it. */
const RENEW_BELOW_MS = 20_000

/** Keeps the leases of everything that a worker has under way. */
export async function renewLeases(pool: Pool, worker: string, now: Date): Promise<void> {
  await pool.query(
    `UPDATE actions SET lease_until = $2 WHERE lease_owner = $1 AND status = 'sending' AND lease_until <= $3`,
    [worker, new Date(now.getTime() + LEASE_MS), new Date(now.getTime() + RENEW_BELOW_MS)],
  )
}

/**
 * What a worker claimed is its own for as long as its leases stand, by all that it knows: one that slept (a machine that was
 * suspended, a process that was stopped) finds the window over, or an answer there, or that another has sent it meanwhile.
 */
export function createHold(clock: () => Date) {
  let renewedAt = clock().getTime()
  let lapsedAt = Number.NEGATIVE_INFINITY
  return {
    /** All its leases were renewed by a statement that was begun then. */
    renewed: (at: Date) => {
      if (at.getTime() - renewedAt > RENEW_BELOW_MS) lapsedAt = at.getTime()
      renewedAt = at.getTime()
    },
    /** Whether what was claimed then is its own yet. */
    stands: (claimedAt: Date) => {
      const claimed = claimedAt.getTime()
      const until = Math.max(claimed + LEASE_MS, renewedAt + RENEW_BELOW_MS)
      return claimed > lapsedAt && clock().getTime() <= until
    },
  }
}

/**
 * Gives back what a worker claimed without hearing of it: the answer to its commit was lost, so it was never offered.
 * `known` are the actions that the worker did hear of.
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
    response: 'The connection to the database was lost while this was being claimed.',
  }
  await recordResults(
    pool,
    rows.map((row) => ({ ...row, outcome })),
    { worker },
    now,
  )
}

/** What is due, and what will be. */
export type Look = {
  /** Leads may have waited for an end in another campaign: they are woken before anything is claimed. */
  has_wakes: boolean
  /** Campaigns whose slot has come: 0, 1, or 2 where there are more. */
  due: number
  /** The earliest slot of any campaign, or the instant after this where somebody is to be woken then; null where there is none. */
  next_slot_at: Date | null
  /** When the first lease of what is under way anywhere runs out, or null: until then nobody may judge it. */
  next_lease_end: Date | null
}

const LOOK = `SELECT EXISTS (SELECT 1 FROM contact_wakes WHERE at IS DISTINCT FROM $1) AS has_wakes,
  (SELECT count(*)::int FROM (SELECT 1 FROM campaigns WHERE status IN ('active', 'draining') AND next_slot_at <= $1
     AND NOT campaign_id = ANY ($2) ORDER BY next_slot_at LIMIT 2) slots) AS due,
  least((SELECT min(next_slot_at) FROM campaigns WHERE status IN ('active', 'draining')),
    (SELECT at + interval '1 millisecond' FROM contact_wakes WHERE at = $1 LIMIT 1)) AS next_slot_at,
  (SELECT min(lease_until) FROM actions WHERE status = 'sending') AS next_lease_end`

/**
 * One statement at the beginnings of four indexes, before anything is locked: of a campaign that sends one mail at a time most
 * looks find nothing.
 */
export async function lookAhead(pool: Pool, now: Date, except: string[] = []): Promise<Look> {
  const { rows } = await pool.query<Look>(prepared(LOOK, [now, except]))
  return rows[0] ?? { has_wakes: false, due: 0, next_slot_at: null, next_lease_end: null }
}
