import { pool } from '#lib/db/client'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'

/** Two campaigns over the same list, with so many active leads each, and no action yet. */
export async function twoCampaigns(leads: number) {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, leads)
  const ids: string[] = []
  for (const _ of [1, 2]) {
    const { campaign_id } = await aCampaign(owner, { dataset_id })
    ids.push(campaign_id)
    await pool().query(
      `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, status)
       SELECT $1, workspace_id, dataset_id, lead_index, 'active' FROM dataset_rows WHERE dataset_id = $2`,
      [campaign_id, dataset_id],
    )
  }
  return { owner, ids }
}
