import type { Pool } from 'pg'
import { recordResults } from '#lib/services/dispatch/record'

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
