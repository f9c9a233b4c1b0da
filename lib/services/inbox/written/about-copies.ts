import type { Pool } from 'pg'
import type { Reading } from '#lib/domain/inbox/classify'
import type { FoundLead } from '#lib/services/inbox/arrived-mail'

/**
 * Whether a report is of somebody who got a copy of an answer, and not of the lead: it names the message all the same, and
 * would end the lead for an address that is not theirs.
 */
export async function isAboutCopies(pool: Pool, lead: FoundLead, reading: Reading): Promise<boolean> {
  const { form, recipients } = reading
  if ((form !== 'bounce' && form !== 'complaint') || recipients.length === 0) return false
  if (recipients.includes(lead.email.toLowerCase())) return false
  const { rows } = await pool.query(
    `SELECT 1 FROM threads t JOIN inbox_messages m USING (thread_id)
     WHERE t.campaign_lead_id = $1 AND m.workspace_id = $2 AND m.direction = 'out' AND $3::text[] <@ (m.cc || m.bcc) LIMIT 1`,
    [lead.campaign_lead_id, lead.workspace_id, recipients],
  )
  return rows.length > 0
}
