import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Prisma, PrismaClient } from '#lib/db/generated/client'

type Work<T> = (client: PoolClient) => Promise<T>

/** Runs `work` in one transaction. A connection on which anything failed is not reused. */
export const inTransaction = <T>(pool: Pool, work: Work<T>): Promise<T> => transaction(pool, 'BEGIN', work)

/**
 * The same with generic plans, made once per connection, and without sequential scans where there is an index. A plan made while a
 * table is small is kept until its next analyze, and would scan the whole table for each mail. For array parameters Postgres assumes
 * ten values; custom plans for the usual one or two would be made for each mail, which takes longer than the rest.
 */
export const withKeptPlans = <T>(pool: Pool, work: Work<T>): Promise<T> =>
  transaction(
    pool,
    'BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan',
    work,
  )

async function transaction<T>(pool: Pool, begin: string, work: Work<T>): Promise<T> {
  const client = await pool.connect()
  // A checked-out connection has no error listener of the pool's; without one a broken connection would end the process.
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    await client.query('ROLLBACK').then(
      () => {
        broken = undefined
      },
      // The connection is gone, and its transaction with it.
      () => undefined,
    )
    throw error
  } finally {
    // A broken connection keeps the listener, since it may emit another error.
    if (!broken) client.off('error', ignore)
    client.release(broken)
  }
}

/** Errors are ignored here because every query of a broken connection rejects with the same error. */
const ignore = () => undefined

/** Runs several reads on one snapshot, such as Prisma's queries for rows and their relations. */
export const inSnapshot = <T>(
  client: Pick<PrismaClient, '$transaction'>,
  read: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> => client.$transaction(read, { isolationLevel: 'RepeatableRead' })

/**
 * Inserts rows of `table` whose parent this transaction has locked (`FOR KEY SHARE`, as the foreign key check would for each row).
 * With sufficient rights it skips that check, which is up to a third of the work. All rows must belong to that parent. If the table
 * has triggers that would be skipped too, the check is kept.
 */
export async function withHeldParent<T>(
  client: ClientBase,
  table: string,
  write: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ role: string | null }>(
    // `tgtype & 4`: fires on INSERT.
    `SELECT CASE WHEN current_setting('is_superuser') = 'on' AND NOT EXISTS (SELECT 1 FROM pg_trigger
       WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgtype & 4 = 4 AND tgenabled = 'O')
       THEN set_config('session_replication_role', 'replica', true) END AS role`,
    [table],
  )
  const written = await write()
  // If the write failed, the setting ends with its transaction.
  if (rows[0]?.role) await client.query('SET LOCAL session_replication_role = origin')
  return written
}
