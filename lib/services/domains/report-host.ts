import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'

const PREFIX = 'reports.'

/**
 * Whether this host serves only report links of a workspace, judged by its name: no page that a person signs in to is served there. Names
 * in another form are not looked up.
 */
export async function isReportHost(hostname: string): Promise<boolean> {
  if (!hostname.startsWith(PREFIX)) return false
  const { rows } = await pool().query(
    prepared(
      `SELECT 1 FROM mail_domains WHERE domain = $1 AND checks #>> '{reports,status}' = 'found' LIMIT 1`,
      [hostname.slice(PREFIX.length)],
    ),
  )
  return rows.length > 0
}
