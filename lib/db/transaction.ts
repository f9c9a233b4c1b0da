import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Prisma, PrismaClient } from '#lib/db/generated/client'

type Work<T> = (client: PoolClient) => Promise<T>

/** Runs `work` in one transaction on one connection. A connection on which anything failed is not used again. */
export const inTransaction = <T>(pool: Pool, work: Work<T>): Promise<T> => transaction(pool, 'BEGIN', work)

/**
 * The same, with plans that are made once for each connection, and never read whole what has an index: a plan that was made while a table
 * was small is kept until Postgres next looks at the table, and reads all of it for each mail. Of arrays that a statement is given Postgres
 * expects ten values; knowing of one or two it would plan anew for each mail, which takes longer than the rest.
 */
export const withKeptPlans = <T>(pool: Pool, work: Work<T>): Promise<T> =>
  transaction(
    pool,
    'BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan',
    work,
  )

async function transaction<T>(pool: Pool, begin: string, work: Work<T>): Promise<T> {
  const client = await pool.connect()
  // Lent out it has no listener of the pool's: a connection that breaks would end the process, not only its queries.
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
    // A broken one keeps it, since it may say so once more.
    if (!broken) client.off('error', ignore)
    client.release(broken)
  }
}

/** Every query of the connection rejects with the same error. */
const ignore = () => undefined

/** Reads by several statements, as those of Prisma for rows and what belongs to them are, from one moment. */
export const inSnapshot = <T>(
  client: Pick<PrismaClient, '$transaction'>,
  read: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> => client.$transaction(read, { isolationLevel: 'RepeatableRead' })

/**
 * Writes rows of `table` whose parent this transaction has locked (`FOR KEY SHARE`, as a foreign key does for each of them): a role
 * that may spares them the question, which is up to a third of the work. They must all be rows of that parent. Where a trigger
 * that would not fire then is to see them, they are asked.
 */
export async function withHeldParent<T>(
  client: ClientBase,
  table: string,
  write: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ role: string | null }>(
    // 4: on insert.
    `SELECT CASE WHEN current_setting('is_superuser') = 'on' AND NOT EXISTS (SELECT 1 FROM pg_trigger
       WHERE tgrelid = $1::regclass AND NOT tgisinternal AND tgtype & 4 = 4 AND tgenabled = 'O')
       THEN set_config('session_replication_role', 'replica', true) END AS role`,
    [table],
  )
  const written = await write()
  // Where the write failed, the setting ends with its transaction.
  if (rows[0]?.role) await client.query('SET LOCAL session_replication_role = origin')
  return written
}
