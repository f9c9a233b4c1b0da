import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'

const PREFIX = 'reports.'

/**
 * Whether this is a host that somebody's report links have, by its name alone: it serves reports, and nothing that a person
 * signs in to. A name that does not look like one is not asked for.
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
