import type { PoolClient } from 'pg'
import type { CampaignModel } from '#lib/db/generated/models'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'

/** Every lock of leads comes after the lock of their campaigns, in one order, so that no two workers wait for each other. */
export async function lockCampaigns(client: Statements, campaignIds: string[]): Promise<void> {
  await client.query(
    prepared(
      'SELECT 1 FROM campaigns WHERE campaign_id = ANY ($1::uuid[]) ORDER BY campaign_id FOR NO KEY UPDATE',
      [campaignIds],
    ),
  )
}

/** A campaign as it stands, locked; null: it is gone. */
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

/** An owner's campaigns that run, locked in that order: before their senders, as claims lock them. */
export async function lockRunning(client: PoolClient, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT campaign_id FROM campaigns WHERE workspace_id = $1 AND status IN ('active', 'draining')
     ORDER BY campaign_id FOR NO KEY UPDATE`,
    [workspaceId],
  )
  return rows.map((row) => row.campaign_id)
}
