import { db } from '#lib/db/client'
import type { Statements } from '#lib/db/statements'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { settleCampaigns, wakeCampaigns } from '#lib/services/campaigns/state'
import { campaignReach } from '#lib/services/leads/channels'
import { CLOCK_FIELDS, readClocks } from '#lib/services/leads/rows/clocks'
import { readdress } from '#lib/services/leads/state/rows'

/**
 * Updates leads of locked campaigns that have not begun to the current identity of their rows. If leads
 * follow their own clocks, all of them take over the row's zone.
 */
export async function readdressLeads(
  client: Statements,
  campaignIds: string[],
  leadIndexes: number[],
  now: Date,
): Promise<void> {
  if (leadIndexes.length === 0) return
  await followClocks(client, campaignIds, leadIndexes, now)
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT DISTINCT campaign_id FROM campaign_leads
     WHERE campaign_id = ANY ($1::uuid[]) AND lead_index = ANY ($2::int[]) AND status = 'pending'`,
    [campaignIds, leadIndexes],
  )
  const ids = rows.map(({ campaign_id }) => campaign_id)
  if (ids.length === 0) return
  for (const row of await db.campaign.findMany({ where: { campaign_id: { in: ids } } })) {
    const campaign = typedCampaign(row)
    await readdress(client, { ...campaign, reach: await campaignReach(campaign) }, leadIndexes, now)
  }
  await settleCampaigns(client, ids, now)
}

/**
 * Locks the campaigns over a dataset whose leads follow their own clocks, if one of these cells affects the
 * zone. Must run before rows are written, because campaigns are locked before rows everywhere.
 */
export async function lockClockKeepers(
  client: Statements,
  workspaceId: string,
  datasetId: string,
  fields: readonly string[],
): Promise<string[]> {
  if (!fields.some((field) => CLOCK_FIELDS.includes(field))) return []
  const { rows } = await client.query<{ campaign_id: string }>(
    `SELECT campaign_id FROM campaigns WHERE workspace_id = $1::uuid AND dataset_id = $2::uuid AND schedule_timezone = 'lead'
     ORDER BY campaign_id FOR NO KEY UPDATE`,
    [workspaceId, datasetId],
  )
  return rows.map(({ campaign_id }) => campaign_id)
}

/** Updates the zones of leads from their rows, for locked campaigns whose leads follow their own clocks. */
export async function followClocks(
  client: Statements,
  campaignIds: string[],
  leadIndexes: number[],
  now: Date,
): Promise<void> {
  if (campaignIds.length === 0 || leadIndexes.length === 0) return
  const keeping = await db.campaign.findMany({
    where: { campaign_id: { in: campaignIds }, schedule_timezone: 'lead' },
  })
  for (const campaign of keeping) await readClocks(client, campaign, leadIndexes)
  const ids = keeping.map(({ campaign_id }) => campaign_id)
  // Some lead's clock may be inside a window now.
  if (ids.length > 0) await wakeCampaigns(client, ids, now)
}
