import { pool } from '#lib/db/client'

/** Keeps that a recurring work has begun. Whoever runs it, the embedded engine or another, this is how it shows. */
export async function noteSweep(name: 'dispatch', now: Date): Promise<void> {
  await pool().query(
    `INSERT INTO sweeps AS s (name, at) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET at = greatest(s.at, $2)`,
    [name, now],
  )
}
