import type { Pool, PoolClient } from 'pg'

/** Runs `work` in one transaction on one connection. A connection on which anything failed is not used again. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // Lent out it has no listener of the pool's: a connection that breaks would end the process, not only its queries.
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query('BEGIN')
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
