import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'

export type HostLine = <T>(host: string, work: () => Promise<T>) => Promise<T>

type Options = {
  pool: () => Pool
  /** Most connections to one host, over all processes. */
  most: number
  look_again_ms?: number
  /** How long a dead process keeps its places. */
  hold_ms?: number
}

const LOOK_AGAIN_MS = 250
const HOLD_MS = 60_000

/**
 * Limits the connections to a mail host over all processes; others wait, first come first served. A place in the queue is a row,
 * and a process with fewer than `most` rows before its own may connect. Uses the database's clock, which all processes share.
 */
export function createHostLine({
  pool,
  most,
  look_again_ms = LOOK_AGAIN_MS,
  hold_ms = HOLD_MS,
}: Options): HostLine {
  return async (host, work) => {
    const key = host.toLowerCase()
    let place = await join(pool(), key, hold_ms)
    while (place.before >= most) {
      await sleep(look_again_ms)
      place = (await stay(pool(), key, place.id, hold_ms)) ?? (await join(pool(), key, hold_ms))
    }
    // A failed renewal is made up for by the next one.
    const beat = setInterval(
      () => void stay(pool(), key, place.id, hold_ms).catch(() => undefined),
      Math.floor(hold_ms / 4),
    )
    try {
      return await work()
    } finally {
      clearInterval(beat)
      // A place that cannot be released now expires by itself; the work is done in any case.
      await pool()
        .query('DELETE FROM mail_connections WHERE mail_connection_id = $1', [place.id])
        .catch(() => undefined)
    }
  }
}

type Place = { id: string; before: number }

const BEFORE = `SELECT $2::bigint AS id, count(*)::int AS before FROM mail_connections
  WHERE host = $1 AND mail_connection_id < $2 AND held_until > clock_timestamp()`

/** Runs `work` with exclusive access to a host's places, after removing expired ones. */
export async function lockHost<T>(pool: Pool, host: string, work: (client: PoolClient) => Promise<T>) {
  return inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('mail_connections:' || $1, 0))", [host])
    await client.query('DELETE FROM mail_connections WHERE host = $1 AND held_until <= clock_timestamp()', [
      host,
    ])
    return work(client)
  })
}

/** Entries are added one at a time, so that nobody gets ahead of an earlier one. */
async function join(pool: Pool, host: string, holdMs: number): Promise<Place> {
  return lockHost(pool, host, async (client) => {
    const made = await client.query<{ id: string }>(
      `INSERT INTO mail_connections (host, held_until) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
       RETURNING mail_connection_id AS id`,
      [host, holdMs],
    )
    const id = made.rows[0]?.id ?? ''
    const { rows } = await client.query<Place>(BEFORE, [host, id])
    return { id, before: rows[0]?.before ?? 0 }
  })
}

/** Null if the place expired because it was not renewed in time. */
async function stay(pool: Pool, host: string, id: string, holdMs: number): Promise<Place | null> {
  const { rowCount } = await pool.query(
    `UPDATE mail_connections SET held_until = clock_timestamp() + $2 * interval '1 millisecond'
     WHERE mail_connection_id = $1 AND held_until > clock_timestamp()`,
    [id, holdMs],
  )
  if (!rowCount) return null
  const { rows } = await pool.query<Place>(BEFORE, [host, id])
  return { id, before: rows[0]?.before ?? 0 }
}
