import type { PoolClient } from 'pg'
import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { takesText } from '#lib/domain/campaigns/social-step'
import { type ApprovedText, chooseText, isAiStep, isAiText } from '#lib/domain/personalize/review'
import { chooseVariant } from '#lib/domain/sending/variants'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import { HELD, holdLeads as hold, releaseLeads } from '#lib/services/leads/state/steps'
import type { DueCampaign, WaitingLead } from '#lib/services/sending/load'
import { waitingSender } from '#lib/services/sending/waiting-leads'

export type ApprovedTexts = ReadonlyMap<string, ApprovedText>
export const textKey = (leadIndex: number, step: number) => `${leadIndex}:${step}`

/** The columns a text's seal is checked against: the cells it was written from, or the whole row for older approvals. */
export const SEALED = `approved_cells, CASE WHEN approved_cells IS NULL THEN lead_snapshot END AS lead_snapshot,
  CASE WHEN approved_cells IS NULL THEN claims END AS claims`

/** The latest approved text of each AI step for these leads. Runs no query for a campaign without AI steps. */
export async function approvedTexts(
  client: Reader,
  campaign: Pick<DueCampaign, 'campaign_id' | 'steps_config'>,
  leadIndexes: number[],
): Promise<ApprovedTexts> {
  const steps = campaign.steps_config.filter(isAiStep).map(({ step }) => step)
  if (steps.length === 0 || leadIndexes.length === 0) return new Map()
  const { rows } = await client.query<ApprovedText & { lead_index: number; step: number }>(
    prepared(
      `SELECT DISTINCT ON (lead_index, step) lead_index, step, subject, body, seal, ${SEALED} FROM generations
     WHERE campaign_id = $1 AND step = ANY ($2) AND lead_index = ANY ($3) AND approved_at IS NOT NULL
     ORDER BY lead_index, step, approved_at DESC, generation_id DESC`,
      [campaign.campaign_id, steps, leadIndexes],
    ),
  )
  return new Map(rows.map(({ lead_index, step, ...text }) => [textKey(lead_index, step), text]))
}

export type HeldLead = { lead: WaitingLead; step: number; reason: string }

/** The due leads whose next step is written by AI and has no approved text to send. */
export async function heldLeads(
  client: PoolClient,
  campaign: DueCampaign,
  waiting: WaitingLead[],
  now: Date,
): Promise<HeldLead[]> {
  const due = waiting.filter((lead) => {
    const config = campaign.steps_config[lead.next_step - 1]
    return config && isAiStep(config) && lead.due_at <= now
  })
  if (due.length === 0) return []
  const texts = await approvedTexts(
    client,
    campaign,
    due.map((lead) => lead.lead_index),
  )
  return due.flatMap((lead) => {
    const config = campaign.steps_config[lead.next_step - 1]
    const chosen = chooseVariant(config?.variants ?? [], {
      ...campaign,
      lead_index: lead.lead_index,
      step: lead.next_step,
    })
    const variant = chosen === null ? null : (config?.variants[chosen] ?? null)
    // A retry keeps its first variant, whatever is drawn now, so its text is checked when the message is
    // composed.
    if (!config || !isAiText(config, variant) || saysNothing(config)) return []
    const text = texts.get(textKey(lead.lead_index, lead.next_step)) ?? null
    const choice = chooseText(text, { ...lead.data, email: lead.email }, campaign.unreviewed_launch_policy)
    return choice.use === 'held' ? [{ lead, step: lead.next_step, reason: choice.reason }] : []
  })
}

/**
 * How many leads of each campaign wait for a text or a file. Campaigns without steps that can hold a lead are
 * skipped.
 */
export async function heldCounts(
  reader: Reader,
  campaigns: Pick<DueCampaign, 'campaign_id' | 'steps_config'>[],
): Promise<Map<string, number>> {
  const carrying = await withLeadFiles(
    reader,
    campaigns.map(({ campaign_id }) => campaign_id),
  )
  const asked = campaigns.filter(
    ({ campaign_id, steps_config }) => carrying.has(campaign_id) || steps_config.some(isAiStep),
  )
  if (asked.length === 0) return new Map()
  const { rows } = await reader.query<{ campaign_id: string; held: number }>(
    `SELECT campaign_id, count(*)::int AS held FROM campaign_leads l WHERE campaign_id = ANY ($1) AND ${HELD}
     GROUP BY campaign_id`,
    [asked.map(({ campaign_id }) => campaign_id)],
  )
  return new Map(rows.map((row) => [row.campaign_id, row.held]))
}

/** The launched campaigns whose texts attach a file per lead. */
async function withLeadFiles(reader: Reader, campaignIds: string[]): Promise<Set<string>> {
  if (campaignIds.length === 0) return new Set()
  const { rows } = await reader.query<{ campaign_id: string }>(
    `SELECT DISTINCT campaign_id FROM campaign_texts WHERE campaign_id = ANY ($1) AND content ? 'lead_files'`,
    [campaignIds],
  )
  return new Set(rows.map(({ campaign_id }) => campaign_id))
}

/** True for actions without a text, such as a profile visit, even if their step still holds one. */
export const saysNothing = ({ channel, action_type }: DueCampaign['steps_config'][number]) =>
  channel === 'social' && !takesText(action_type)

/** Takes leads out of their queues until their text is approved. */
export const holdLeads = (client: PoolClient, campaign: DueCampaign, held: HeldLead[], now: Date) =>
  hold(
    client,
    campaign,
    held.map(({ lead, step, reason }) => ({
      campaign_lead_id: lead.campaign_lead_id,
      step,
      action_type: campaign.steps_config[lead.next_step - 1]?.action_type ?? null,
      sender_id: waitingSender(lead, campaign),
      reason,
    })),
    now,
  )

/**
 * Puts held leads back into their queues, where each is checked again: all of a campaign's, or those at `leadIndexes`. Must run
 * in the transaction that writes what they waited for; a crash between the two would leave them held for ever.
 */
export async function releaseHeldLeads(
  client: Statements,
  campaignId: string,
  now: Date,
  leadIndexes: number[] | null = null,
): Promise<void> {
  await lockCampaigns(client, [campaignId])
  const count = await releaseLeads(client, campaignId, now, leadIndexes)
  if (count > 0) await wakeCampaigns(client, [campaignId], now)
}
