import type { Pool, PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/steps'
import { prepared } from '#lib/db/prepared'
import { asksForFacts, type LeadFacts } from '#lib/domain/step-conditions'

type Row = { campaign_lead_id: string; lead_index: number; clicked: boolean }

const FACTS = `SELECT campaign_lead_id, lead_index, bool_or(t.kind = 'click') AS clicked
  FROM tracking_events t JOIN campaign_leads l USING (campaign_lead_id) WHERE t.class = 'human'`

/**
 * What people did with the mail of these leads so far, by lead_index; whom it does not name has done nothing. Nothing is
 * asked where no step has a condition of that kind, so campaigns without pay nothing.
 */
export async function factsOfLeads(
  reader: Pool | PoolClient,
  campaign: { steps_config: StepConfig[] },
  leadIds: string[],
): Promise<Map<number, LeadFacts>> {
  if (leadIds.length === 0 || !asksForFacts(campaign.steps_config)) return new Map()
  const { rows } = await reader.query<Row>(
    prepared(`${FACTS} AND t.campaign_lead_id = ANY ($1) GROUP BY campaign_lead_id, lead_index`, [leadIds]),
  )
  return byIndex(rows)
}

/** The same for all leads of a campaign. */
export async function factsOfCampaign(
  reader: Pool | PoolClient,
  campaign: { campaign_id: string; steps_config: StepConfig[] },
): Promise<Map<number, LeadFacts>> {
  if (!asksForFacts(campaign.steps_config)) return new Map()
  const { rows } = await reader.query<Row>(
    prepared(`${FACTS} AND t.campaign_id = $1 GROUP BY campaign_lead_id, lead_index`, [campaign.campaign_id]),
  )
  return byIndex(rows)
}

const byIndex = (rows: Row[]) =>
  new Map(rows.map(({ lead_index, clicked }) => [lead_index, { opened: true, clicked, connected: false }]))
