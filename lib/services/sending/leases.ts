import type { Pool } from 'pg'
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
 * Gives back what a worker claimed without hearing of it: the answer to its commit was lost, so it was never offered.
 * `known` are the actions that the worker did hear of.
 */
export async function giveBackUnheard(pool: Pool, worker: string, known: string[], now: Date): Promise<void> {
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

/** When the first of the leases runs out that are held now; null where nothing is under way. */
export async function nextLeaseEnd(pool: Pool): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `SELECT min(lease_until) AS at FROM actions WHERE status = 'sending'`,
  )
  return rows[0]?.at ?? null
}
