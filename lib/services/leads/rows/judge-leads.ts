import type { Statements } from '#lib/db/statements'
import { companyDomain } from '#lib/domain/inbox/company-domain'
import type { PassedOver } from '#lib/domain/leads/added-leads'
import { enrolledAs, foundIn, type Reach } from '#lib/services/leads/enrolment-rule'
import { rowsOnList } from '#lib/services/leads/on-list'

type Campaign = {
  campaign_id: string
  workspace_id: string
  dataset_id: string
  stop_on_company_reply: boolean
  reach: Reach
}

/** These are the only reasons the rule gives for a row. */
type Judged = { lead_index: number; email: string | null; reason: PassedOver | null; is_lead: boolean }

export type Verdicts = {
  /** Rows that already are leads of the campaign. */
  leads: Set<number>
  /** Rows that the campaign skips, each with the reason. */
  passedOver: Map<number, PassedOver>
}

/** How the locked campaign would enrol these rows of its dataset now. */
export async function judgeLeads(
  client: Statements,
  campaign: Campaign,
  leadIndexes: number[],
): Promise<Verdicts> {
  const { workspace_id, dataset_id } = campaign
  const of = { workspace_id, dataset_id, which: 'r.lead_index = ANY ($5::int[])', values: [leadIndexes] }
  const listed = await rowsOnList(client, of)
  const { rows } = await client.query<Judged>(
    `SELECT r.lead_index, r.email, split_part(why.reason, ':', 1) AS reason,
       EXISTS (SELECT 1 FROM campaign_leads l WHERE l.campaign_id = $1::uuid AND l.lead_index = r.lead_index) AS is_lead
     FROM dataset_rows r ${enrolledAs(campaign.reach, listed, foundIn('$1::uuid', campaign.reach))}
     WHERE r.dataset_id = $2::uuid AND r.lead_index = ANY ($3::int[])`,
    [campaign.campaign_id, campaign.dataset_id, leadIndexes],
  )
  const answered = await repliedCompanies(client, campaign)
  const passedOver = new Map<number, PassedOver>()
  for (const { lead_index, email, reason, is_lead } of rows) {
    if (is_lead) continue
    const company = email && companyDomain(email)
    if (reason) passedOver.set(lead_index, reason)
    else if (company && answered.has(company)) passedOver.set(lead_index, 'company_replied')
  }
  const leads = new Set(rows.flatMap(({ is_lead, lead_index }) => (is_lead ? [lead_index] : [])))
  return { leads, passedOver }
}

/** Domains of companies that get nothing more because one of their people replied. */
async function repliedCompanies(client: Statements, campaign: Campaign): Promise<Set<string>> {
  if (!campaign.stop_on_company_reply) return new Set()
  const { rows } = await client.query<{ domain: string }>(
    `SELECT DISTINCT split_part(email, '@', 2) AS domain FROM campaign_leads
     WHERE campaign_id = $1::uuid AND workspace_id = $2::uuid AND status = 'replied' AND email IS NOT NULL`,
    [campaign.campaign_id, campaign.workspace_id],
  )
  return new Set(rows.map(({ domain }) => domain))
}
