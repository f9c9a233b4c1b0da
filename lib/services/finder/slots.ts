import { setTimeout as sleep } from 'node:timers/promises'
import { pool } from '#lib/db/client'

/** How long a caller waits for its turn beyond the server's pause. */
const PATIENCE_MS = 2_000
const LOOK_AGAIN_MS = 200

type Pace = { spacing_ms: number; timeout_ms: number }

/**
 * Runs `work` as the only one, across all processes, that talks to a mail server, followed by a pause. Returns `busy` if the turn does not
 * come in time. Uses the database's clock, so that all processes agree.
 */
export async function inTurn<T>(mxHost: string, pace: Pace, work: () => Promise<T>): Promise<T | 'busy'> {
  const slot = await waitForTurn(mxHost, pace)
  if (slot === null) return 'busy'
  try {
    return await work()
  } finally {
    await pool().query(
      `UPDATE probe_slots SET held_until = clock_timestamp(), free_at = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE mx_host = $1 AND held_until = $2`,
      [mxHost, slot, pace.spacing_ms],
    )
  }
}

async function waitForTurn(mxHost: string, { spacing_ms, timeout_ms }: Pace): Promise<Date | null> {
  const rounds = Math.ceil((spacing_ms + PATIENCE_MS) / LOOK_AGAIN_MS)
  for (let round = 0; round < rounds; round++) {
    const slot = await take(mxHost, timeout_ms * 2)
    if (slot) return slot
    await sleep(LOOK_AGAIN_MS)
  }
  return null
}

/** A process that dies during its turn blocks the server for at most `holdMs`. */
async function take(mxHost: string, holdMs: number): Promise<Date | null> {
  const { rows } = await pool().query<{ held_until: Date }>(
    `INSERT INTO probe_slots AS s (mx_host, held_until, free_at)
     VALUES ($1, date_trunc('milliseconds', clock_timestamp()) + $2 * interval '1 millisecond', clock_timestamp())
     ON CONFLICT (mx_host) DO UPDATE SET held_until = excluded.held_until
       WHERE s.held_until <= clock_timestamp() AND s.free_at <= clock_timestamp()
     RETURNING held_until`,
    [mxHost, holdMs],
  )
  return rows[0]?.held_until ?? null
}
