import type { z } from 'zod'
import type { ReadCampaignActivity } from '#lib/contracts/campaigns/activity'
import { pool } from '#lib/db/client'
import { personName } from '#lib/domain/leads/person-name'
import { listCursor } from '#lib/domain/text/list-cursor'
import { getCampaign } from '#lib/services/campaigns/campaigns'

type Row = {
  event_id: string
  at: Date
  kind: string
  campaign_lead_id: string | null
  step: number | null
  channel: string | null
  action_type: string | null
  reason: string | null
  email: string | null
  profile: string | null
  first_name: string | null
  last_name: string | null
}

/** Sends come from the ledger (`actions`), everything else from the decision log. Each part reads only its newest rows, by index. */
const NEWEST = `
  WITH newest AS (
    (SELECT action_id AS event_id, performed_at AS at, status::text AS kind, campaign_lead_id, step, channel, action_type, response AS reason
     FROM actions WHERE campaign_id = $1 AND workspace_id = $2 AND performed_at <= $3 AND (performed_at, action_id) < ($3, $4)
       AND status IN ('sent', 'failed', 'uncertain')
     ORDER BY performed_at DESC, action_id DESC LIMIT $5)
    UNION ALL
    (SELECT event_id, at, kind, campaign_lead_id, step, channel, NULL, reason
     FROM campaign_events WHERE campaign_id = $1 AND workspace_id = $2 AND at <= $3 AND (at, event_id) < ($3, $4)
     ORDER BY at DESC, event_id DESC LIMIT $5)
    ORDER BY at DESC, event_id DESC LIMIT $5)
  SELECT n.*, coalesce(l.email, p.email) AS email, p.profile, p.first_name, p.last_name
  FROM newest n LEFT JOIN campaign_leads l USING (campaign_lead_id) LEFT JOIN people p USING (person_id)
  ORDER BY n.at DESC, n.event_id DESC`
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What happened in one campaign up to now, newest first. Server responses to accepted sends are left out. */
export async function readCampaignActivity(
  workspaceId: string,
  campaignId: string,
  { after, limit }: z.output<typeof ReadCampaignActivity.query>,
  now: Date,
) {
  await getCampaign(workspaceId, campaignId)
  const from = after ?? { at: now.getTime(), id: LAST_ID }
  const page = [campaignId, workspaceId, new Date(from.at), from.id, limit]
  const { rows } = await pool().query<Row>(NEWEST, page)
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    items: rows.map(({ email, profile, first_name, last_name, ...event }) => ({
      ...event,
      reason: event.kind === 'sent' ? null : event.reason,
      name: event.campaign_lead_id ? personName({ email, profile, first_name, last_name }) : null,
    })),
    next_after: last ? listCursor({ at: last.at.getTime(), id: last.event_id }) : null,
  }
}
