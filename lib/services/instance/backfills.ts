import type { Pool, PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'

/**
 * Rewrites the next rows from `cursor`, in the transaction that stores the new cursor, and few enough that their locks delay nobody.
 * Returns where to continue, or null when done. Must handle rows of the previous version, which may still be written.
 */
export type Backfill = (
  client: PoolClient,
  cursor: string | null,
) => Promise<{ cursor: string | null; rows: number }>

/** By the name that a migration put into `backfills`. docs/upgrades.md says when one may be removed. */
const BACKFILLS: Record<string, Backfill> = {}

const ROUND_MS = 10_000
const RETRY_MS = 10 * 60_000

type Options = { pool: Pool; backfills: Record<string, Backfill>; clock: () => Date; until: Date }

/**
 * Runs backfills batch by batch until the time is up, each in one process at a time. A failed one waits and stores its error; one
 * unknown to this version is left to the version that knows it. Returns whether there is more to do at once.
 */
export async function backfillRound(given?: Options): Promise<{ goes_on: boolean }> {
  const options = given ?? {
    pool: pool(),
    backfills: BACKFILLS,
    clock: () => new Date(),
    until: new Date(Date.now() + ROUND_MS),
  }
  while (options.clock() < options.until) if (!(await nextBatch(options))) return { goes_on: false }
  return { goes_on: true }
}

type Open = { name: string; cursor: string | null }

/** False if nothing is due, or another process is at it. */
async function nextBatch({ pool, backfills, clock }: Options): Promise<boolean> {
  const now = clock()
  let begun: string | undefined
  try {
    return await inTransaction(pool, async (client) => {
      const { rows } = await client.query<Open>(
        `SELECT name, cursor FROM backfills WHERE finished_at IS NULL AND next_at <= $1 AND name = ANY($2)
         ORDER BY next_at, name LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [now, Object.keys(backfills)],
      )
      const [open] = rows
      const backfill = open && backfills[open.name]
      if (!open || !backfill) return false
      begun = open.name
      const done = await backfill(client, open.cursor)
      await client.query(
        `UPDATE backfills SET cursor = $2, rows_done = rows_done + $3, error = NULL,
           finished_at = CASE WHEN $2::text IS NULL THEN $4::timestamptz END WHERE name = $1`,
        [open.name, done.cursor, done.rows, now],
      )
      return true
    })
  } catch (error) {
    if (begun === undefined) throw error
    const said = error instanceof Error ? error.message : String(error)
    const later = new Date(now.getTime() + RETRY_MS)
    await pool.query('UPDATE backfills SET error = $2, next_at = $3 WHERE name = $1', [begun, said, later])
    return true
  }
}
