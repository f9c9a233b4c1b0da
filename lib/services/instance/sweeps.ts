import { pool } from '#lib/db/client'

/** Records that a recurring work has begun, whichever engine runs it, as evidence for the health check. */
export async function noteSweep(name: 'dispatch', now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO sweeps AS s (name, at) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET at = greatest(s.at, $2)`,
    [name, now],
  )
}
