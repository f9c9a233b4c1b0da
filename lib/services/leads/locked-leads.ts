import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { AppError } from '#lib/errors'

/** A campaign whose owner decides about some of its leads. */
export type LockedCampaign = {
  campaign_id: string
  workspace_id: string
  timezone: string
  steps_config: StepConfig[]
}

/** Its lock comes before those of its leads, as everywhere. */
export async function lockedCampaign(
  client: PoolClient,
  workspaceId: string,
  campaignId: string,
): Promise<LockedCampaign> {
  const { rows } = await client.query<LockedCampaign>(
    `SELECT campaign_id, workspace_id, timezone, steps_config FROM campaigns
     WHERE campaign_id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`,
    [campaignId, workspaceId],
  )
  const [campaign] = rows
  if (!campaign) throw new AppError('campaign_not_found')
  return campaign
}

/** The leads are locked before they are read: what is read of them cannot change under the decision. */
export async function lockLeads(client: PoolClient, campaignId: string, leadIds: string[]): Promise<void> {
  await client.query(
    `SELECT 1 FROM campaign_leads WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2
     ORDER BY campaign_lead_id FOR NO KEY UPDATE`,
    [leadIds, campaignId],
  )
}
