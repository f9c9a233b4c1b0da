import type { Pool, PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { prepared } from '#lib/db/prepared'
import {
  asksForFacts,
  asksForRelation,
  type LeadFacts,
  NO_FACTS,
} from '#lib/domain/campaigns/step-conditions'

type Steps = { steps_config: StepConfig[] }

const CLICKS = `SELECT campaign_lead_id, lead_index, bool_or(t.kind = 'click') AS clicked
  FROM tracking_events t JOIN campaign_leads l USING (campaign_lead_id) WHERE t.class = 'human'`
const RELATIONS = `SELECT l.lead_index, p.relation = 'connected' AS connected FROM campaign_leads l
  JOIN social_people p ON p.account_id = l.connected_account_id AND p.provider_id = l.social_provider_id`

/**
 * By lead_index, what people did with the leads' email so far, and whether they are connected to the account.
 * A lead that is missing has done nothing and was never looked up. Runs no query unless a step has such a
 * condition.
 */
export async function factsOfLeads(
  reader: Pool | PoolClient,
  campaign: Steps,
  leadIds: string[],
): Promise<Map<number, LeadFacts>> {
  if (leadIds.length === 0) return new Map()
  return factsWhere(reader, campaign, 'l.campaign_lead_id = ANY ($1)', leadIds)
}

/** The same for all leads of a campaign. */
export async function factsOfCampaign(
  reader: Pool | PoolClient,
  campaign: Steps & { campaign_id: string },
): Promise<Map<number, LeadFacts>> {
  return factsWhere(reader, campaign, 'l.campaign_id = $1', campaign.campaign_id)
}

async function factsWhere(
  reader: Pool | PoolClient,
  { steps_config }: Steps,
  which: string,
  value: string | string[],
): Promise<Map<number, LeadFacts>> {
  const facts = new Map<number, LeadFacts>()
  if (asksForFacts(steps_config)) {
    const { rows } = await reader.query<{ lead_index: number; clicked: boolean }>(
      prepared(`${CLICKS} AND ${which} GROUP BY campaign_lead_id, lead_index`, [value]),
    )
    for (const { lead_index, clicked } of rows)
      facts.set(lead_index, { opened: true, clicked, connected: null })
  }
  if (asksForRelation(steps_config)) {
    const { rows } = await reader.query<{ lead_index: number; connected: boolean }>(
      prepared(`${RELATIONS} WHERE ${which}`, [value]),
    )
    for (const { lead_index, connected } of rows)
      facts.set(lead_index, { ...(facts.get(lead_index) ?? NO_FACTS), connected })
  }
  return facts
}
