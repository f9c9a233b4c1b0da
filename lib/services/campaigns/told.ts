import type { CampaignModel } from '#lib/db/generated/models'
import type { Statements } from '#lib/db/statements'
import type { CampaignStatus } from '#lib/domain/campaigns/campaign-status'
import { type Notice, type Told, tell } from '#lib/services/telling/tell'

export type MovedCampaign = CampaignModel & { was: CampaignStatus }

function eventType({ status, was }: MovedCampaign) {
  if (status === 'paused') return 'campaign.paused' as const
  if (status === 'completed') return 'campaign.completed' as const
  if (status === 'failed') return 'campaign.failed' as const
  if (was === 'paused') return 'campaign.resumed' as const
  return was === 'launching' && status === 'active' ? ('campaign.launched' as const) : null
}

/** The owner is not notified of changes that they ordered themselves. */
function noticeKind({ status, was, paused_reason }: MovedCampaign): Notice['kind'] | null {
  if (status === 'paused') return paused_reason === 'user' ? null : 'campaign_paused'
  return status === 'failed' || (was === 'scheduled' && status === 'draft') ? 'launch_failed' : null
}

/** Notifies webhooks and owners of campaigns whose status has just changed. */
export async function tellOfCampaigns(client: Statements, rows: MovedCampaign[], at: Date): Promise<void> {
  const events: Told[] = []
  const notices: Notice[] = []
  for (const row of rows.filter(({ status, was }) => status !== was)) {
    const { workspace_id, campaign_id, name, status, total_leads } = row
    const { processed_leads, sent_count, replied_count, bounced_count } = row
    const reason = row.paused_reason ?? row.launch_error
    const counts = { total_leads, processed_leads, sent_count, replied_count, bounced_count }
    const type = eventType(row)
    if (type) events.push({ type, workspace_id, at, data: { campaign_id, name, status, reason, ...counts } })
    const kind = noticeKind(row)
    if (kind)
      notices.push({ workspace_id, kind, campaign_id, data: { name, reason: reason?.slice(0, 500) ?? null } })
  }
  await tell(client, events, notices)
}
