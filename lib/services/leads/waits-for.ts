import { pool } from '#lib/db/client'
import { INSTANTS_AS_TEXT } from '#lib/db/instants'
import { prepared } from '#lib/db/prepared'
import type { LeadReason } from '#lib/domain/leads/lead-reasons'
import { CONTACT_HOLDS } from '#lib/domain/sending/contact-hold'

type WaitsFor = {
  campaign_id: string | null
  campaign_name: string | null
  colleague: string | null
  not_before: string | null
}

const HOLDS: ReadonlySet<string | null> = new Set(CONTACT_HOLDS)

/** For whom leads wait by the contact policy, as their log said when they began to; only of those who still do. */
export async function waitsFor(
  workspaceId: string,
  leads: readonly { campaign_lead_id: string; reason: LeadReason | null }[],
): Promise<ReadonlyMap<string, WaitsFor>> {
  const ids = leads.flatMap((lead) => (HOLDS.has(lead.reason) ? [lead.campaign_lead_id] : []))
  if (ids.length === 0) return new Map()
  const { rows } = await pool().query<WaitsFor & { campaign_lead_id: string }>({
    ...prepared(
      `SELECT l.campaign_lead_id, c.campaign_id, c.name AS campaign_name, said.detail ->> 'colleague' AS colleague,
         (said.detail ->> 'until')::timestamptz AS not_before
       FROM unnest($2::uuid[]) asked (campaign_lead_id) JOIN campaign_leads l USING (campaign_lead_id)
         LEFT JOIN LATERAL (SELECT e.detail FROM campaign_events e WHERE e.campaign_lead_id = l.campaign_lead_id
           AND e.kind = 'put_off' ORDER BY e.event_id DESC LIMIT 1) said ON true
         LEFT JOIN campaigns c ON c.campaign_id = (said.detail ->> 'campaign_id')::uuid AND c.workspace_id = l.workspace_id
       WHERE l.workspace_id = $1 AND l.status = 'active' AND l.next_action_at = l.put_off_until`,
      [workspaceId, ids],
    ),
    types: INSTANTS_AS_TEXT,
  })
  return new Map(rows.map(({ campaign_lead_id, ...waits }) => [campaign_lead_id, waits]))
}
