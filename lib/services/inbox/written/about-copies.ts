import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Reading } from '#lib/domain/inbox/classify'
import type { FoundLead } from '#lib/services/inbox/arrived-mail'

const MOST_TOLD = 20

/**
 * Whether a mail comes from somebody who got a copy rather than from the lead. A bounce of their address
 * refers to the same message and would wrongly end the lead; so would a notice of the CRM that received its
 * copy.
 */
export async function isAboutCopies(
  pool: Pool,
  lead: FoundLead,
  reading: Reading,
  { from, dropbox }: { from: string; dropbox: string | null },
): Promise<boolean> {
  if (dropbox !== null && dropbox === from) return true
  const { form, recipients } = reading
  if ((form !== 'bounce' && form !== 'complaint') || recipients.length === 0) return false
  if (recipients.includes(lead.email.toLowerCase())) return false
  if (recipients.every((address) => address === dropbox)) return true
  const { rows } = await pool.query(
    `SELECT 1 FROM threads t JOIN inbox_messages m USING (thread_id)
     WHERE t.campaign_lead_id = $1 AND m.workspace_id = $2 AND m.direction = 'out' AND $3::text[] <@ (m.cc || m.bcc || $4::text[]) LIMIT 1`,
    [lead.campaign_lead_id, lead.workspace_id, recipients, dropbox ? [dropbox] : []],
  )
  return rows.length > 0
}

/** The bcc address of each lead's campaign, unless the lead has that very address. */
export async function findDropboxes(
  pool: Pool,
  workspaceId: string,
  leads: readonly (FoundLead | null)[],
): Promise<(string | null)[]> {
  const ids = new Set(leads.flatMap((lead) => lead?.campaign_id ?? []))
  if (ids.size === 0) return leads.map(() => null)
  const { rows } = await pool.query<{ campaign_id: string; bcc_address: string }>(
    prepared(
      `SELECT campaign_id, bcc_address FROM campaigns
       WHERE campaign_id = ANY ($1) AND workspace_id = $2 AND bcc_address IS NOT NULL`,
      [[...ids], workspaceId],
    ),
  )
  const known = new Map(rows.map(({ campaign_id, bcc_address }) => [campaign_id, bcc_address]))
  return leads.map((lead) => {
    const dropbox = (lead && known.get(lead.campaign_id)) ?? null
    return dropbox === lead?.email.toLowerCase() ? null : dropbox
  })
}

/** A bounce of a copy, or of a forwarded message, is shown with the message it refers to. */
export async function noteNotTaken(
  client: PoolClient,
  workspaceId: string,
  { bounce, about, recipients }: Reading,
): Promise<void> {
  if (!bounce || about.length === 0 || (bounce.severity === 'soft' && !bounce.is_final)) return
  const why = (bounce.diagnostic ?? bounce.status ?? 'it came back').replace(/\s+/g, ' ').slice(0, 300)
  for (const address of recipients.slice(0, MOST_TOLD))
    await client.query(
      `UPDATE inbox_messages m SET response = left(concat_ws(' ', m.response, $4::text), 2000)
       WHERE m.workspace_id = $1 AND m.direction = 'out' AND m.delivery_status = 'sent'
         AND (m.message_id = ANY ($2) OR m.server_message_id = ANY ($2)) AND strpos(coalesce(m.response, ''), $4) = 0
         AND ($3 = ANY (m.cc || m.bcc)
           OR (m.kind = 'forward' AND m.recipients @> jsonb_build_array(jsonb_build_object('address', $3::text))))`,
      [workspaceId, about, address, `Not taken for ${address}: ${why}`],
    )
}
