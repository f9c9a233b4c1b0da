import { pool } from '#lib/db/client'
import { INSTANTS_AS_TEXT } from '#lib/db/instants'
import { prepared } from '#lib/db/prepared'
import { sqlList } from '#lib/db/statements'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { mayWait } from '#lib/domain/leads/lead-moves'
import type { WaitReason } from '#lib/domain/leads/wait-reasons'
import { CONTACT_HOLDS } from '#lib/domain/sending/contact-hold'

type WaitsFor = {
  why: WaitReason
  campaign_id: string | null
  campaign_name: string | null
  colleague: string | null
  not_before: string | null
}

const HELD_BY_POLICY = `l.status = 'active' AND l.next_action_at = l.put_off_until
  AND l.reason IN (${sqlList(CONTACT_HOLDS)})`
/** SQL: the lead's step is due no later than its person `b` is back, so it waits for them. */
const heldInPerson = (now: string) =>
  `b.until > ${now} AND b.until >= l.next_action_at AND l.status IN ('pending', 'active')`

/**
 * SQL: why, for whom and until when lead `l` waits, as one row or none. For the contact policy, the reason is
 * the one logged when the wait began. If the person is held as well, whichever ends last counts.
 */
export const waitSql = (now: string) => `(
  SELECT CASE WHEN b.said IS NULL AND b.inbound_message_id IS NULL THEN 'held'
      WHEN EXISTS (SELECT 1 FROM inbound_messages i WHERE i.inbound_message_id = b.inbound_message_id AND i.kind = 'reply') THEN 'asked_later'
      ELSE 'away' END AS why,
    NULL::uuid AS campaign_id, NULL::text AS campaign_name, NULL::text AS colleague, b.until AS not_before
  FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = l.email AND ${heldInPerson(now)}
  UNION ALL
  SELECT l.reason::text, c.campaign_id, c.name, said.detail ->> 'colleague', (said.detail ->> 'until')::timestamptz
  FROM (SELECT 1 WHERE ${HELD_BY_POLICY}) held
    LEFT JOIN LATERAL (SELECT e.detail FROM campaign_events e WHERE e.campaign_lead_id = l.campaign_lead_id
      AND e.kind = 'put_off' ORDER BY e.event_id DESC LIMIT 1) said ON true
    LEFT JOIN campaigns c ON c.campaign_id = (said.detail ->> 'campaign_id')::uuid AND c.workspace_id = l.workspace_id
  ORDER BY not_before DESC NULLS LAST LIMIT 1)`

/**
 * SQL: whether lead `l` of a workspace waits, by the same definition. The held people are looked up once, not
 * per lead.
 */
export const isWaitingSql = (workspace: string, now: string) => `(((${HELD_BY_POLICY})
  OR (l.email IN (SELECT b.email FROM absences b WHERE b.workspace_id = ${workspace} AND b.until > ${now})
    AND EXISTS (SELECT 1 FROM absences b WHERE b.workspace_id = l.workspace_id AND b.email = l.email AND ${heldInPerson(now)}))) IS TRUE)`

const WAITS = `SELECT l.campaign_lead_id, w.* FROM unnest($2::uuid[]) asked (campaign_lead_id)
    JOIN campaign_leads l USING (campaign_lead_id) CROSS JOIN LATERAL ${waitSql('$3')} w
  WHERE l.workspace_id = $1`
const COUNT = `SELECT count(*)::int AS waiting FROM (
    SELECT l.campaign_lead_id FROM campaign_leads l WHERE l.campaign_id = $2 AND l.workspace_id = $1 AND ${HELD_BY_POLICY}
    UNION SELECT l.campaign_lead_id FROM absences b JOIN campaign_leads l ON l.workspace_id = b.workspace_id AND l.email = b.email
    WHERE b.workspace_id = $1 AND l.campaign_id = $2 AND ${heldInPerson('$3')}) l`

type Listed = { campaign_lead_id: string; status: LeadStatus }

/**
 * Why, for whom and until when leads wait; leads that do not wait are left out. One query for any number of
 * leads.
 */
export async function waitsFor(
  workspaceId: string,
  leads: readonly Listed[],
  now: Date,
): Promise<ReadonlyMap<string, WaitsFor>> {
  const ids = leads.flatMap((lead) => (mayWait(lead.status) ? [lead.campaign_lead_id] : []))
  if (ids.length === 0) return new Map()
  const { rows } = await pool().query<WaitsFor & { campaign_lead_id: string }>({
    ...prepared(WAITS, [workspaceId, ids, now]),
    types: INSTANTS_AS_TEXT,
  })
  return new Map(rows.map(({ campaign_lead_id, ...waits }) => [campaign_lead_id, waits]))
}

/**
 * How many leads of a campaign wait. Starts from the held people, who are few, rather than from the leads.
 */
export async function countWaiting(workspaceId: string, campaignId: string, now: Date): Promise<number> {
  const { rows } = await pool().query<{ waiting: number }>(prepared(COUNT, [workspaceId, campaignId, now]))
  return rows[0]?.waiting ?? 0
}
