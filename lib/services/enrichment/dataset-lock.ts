import { pool } from '#lib/db/client'

/**
 * Runs `work` under an exclusive lock on the rows of a dataset; returns `busy` if the lock is taken. The lock belongs to a separate
 * connection, so that it ends with its process.
 */
export async function holding<T>(datasetId: string, work: () => Promise<T>): Promise<T | 'busy'> {
  const client = await pool().connect()
  const name = `pipeline:${datasetId}`
  let isBroken = false
  const broken = () => {
    isBroken = true
  }
  client.on('error', broken)
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
      [name],
    )
    if (!rows[0]?.taken) return 'busy'
    try {
      return await work()
    } finally {
      await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(broken)
    }
  } finally {
    client.off('error', broken)
    client.release(isBroken)
  }
}
