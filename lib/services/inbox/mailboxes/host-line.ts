import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'

export type HostLine = <T>(host: string, work: () => Promise<T>) => Promise<T>

type Options = {
  pool: () => Pool
  /** Connections to one host at once, over all processes. */
  most: number
  look_again_ms?: number
  /** A process that dies holds its places so long, and no longer. */
  hold_ms?: number
}

const LOOK_AGAIN_MS = 250
const HOLD_MS = 60_000

/**
 * At most so many connections to a mail host at once, whatever process asks and whatever for: the others wait, in the order
 * in which they came. A place in the line is a row; whoever has fewer than `most` before them may connect. The clock is the
 * database's, so that all agree on it.
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
    // One beat that fails is made good by the next.
    const beat = setInterval(
      () => void stay(pool(), key, place.id, hold_ms).catch(() => undefined),
      Math.floor(hold_ms / 4),
    )
    try {
      return await work()
    } finally {
      clearInterval(beat)
      // One that cannot be given up now runs out by itself, and what was done stays done.
      await pool()
        .query('DELETE FROM mail_connections WHERE mail_connection_id = $1', [place.id])
        .catch(() => undefined)
    }
  }
}

type Place = { id: string; before: number }

const BEFORE = `SELECT $2::bigint AS id, count(*)::int AS before FROM mail_connections
  WHERE host = $1 AND mail_connection_id < $2 AND held_until > clock_timestamp()`

/** Alone with the places of a host, of which those that ran out are gone. */
export async function lockHost<T>(pool: Pool, host: string, work: (client: PoolClient) => Promise<T>) {
  return inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('mail_connections:' || $1, 0))", [host])
    await client.query('DELETE FROM mail_connections WHERE host = $1 AND held_until <= clock_timestamp()', [
      host,
    ])
    return work(client)
  })
}

/** One after the other, so that nobody comes to stand before one who was there. */
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

/** Null where the place was given up: nothing was heard for too long. */
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
