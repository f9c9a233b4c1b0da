import { pool } from '#lib/db/client'

/** Every row of every table, in one value, except rate buckets and the app's own keys, which are nobody's data. */
export async function wholeDatabase(): Promise<Record<string, string>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND table_name NOT IN ('rate_limits', 'signing_keys')`,
  )
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool().query<{ digest: string }>(
      `SELECT coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS digest FROM "${name}" t`,
    )
    digests[name] = rows[0]?.digest ?? ''
  }
  return digests
}
