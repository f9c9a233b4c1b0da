import type { PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { CampaignModel } from '#lib/db/generated/models'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { AppError } from '#lib/errors'

/** Locks campaigns in one fixed order, and before their leads, so that no two workers deadlock. */
export async function lockCampaigns(client: Statements, campaignIds: string[]): Promise<void> {
  await client.query(
    prepared(
      'SELECT 1 FROM campaigns WHERE campaign_id = ANY ($1::uuid[]) ORDER BY campaign_id FOR NO KEY UPDATE',
      [campaignIds],
    ),
  )
}

/** Locks and reads a campaign; null if it is gone. */
export async function lockCampaign(
  client: Statements,
  { campaign_id, workspace_id }: Pick<CampaignModel, 'campaign_id' | 'workspace_id'>,
): Promise<CampaignModel | null> {
  const { rows } = await client.query<CampaignModel>(
    'SELECT * FROM campaigns WHERE campaign_id = $1::uuid AND workspace_id = $2::uuid FOR NO KEY UPDATE',
    [campaign_id, workspace_id],
  )
  return rows[0] ?? null
}

/** Locks an owner's running campaigns in that order. Call it before locking their senders, as claims do. */
export async function lockRunning(client: PoolClient, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT campaign_id FROM campaigns WHERE workspace_id = $1 AND status IN ('active', 'draining')
     ORDER BY campaign_id FOR NO KEY UPDATE`,
    [workspaceId],
  )
  return rows.map((row) => row.campaign_id)
}

/** A locked campaign, for decisions of its owner about some of its leads. */
export type LockedCampaign = {
  campaign_id: string
  workspace_id: string
  timezone: string
  steps_config: StepConfig[]
}

/** Locks a campaign before its leads, as everywhere. */
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

/** Locks the leads before reading them, so that nothing changes while a decision is made. */
export async function lockLeads(client: PoolClient, campaignId: string, leadIds: string[]): Promise<void> {
  await client.query(
    `SELECT 1 FROM campaign_leads WHERE campaign_lead_id = ANY ($1) AND campaign_id = $2
     ORDER BY campaign_lead_id FOR NO KEY UPDATE`,
    [leadIds, campaignId],
  )
}
