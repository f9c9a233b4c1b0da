import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import { type ApprovedText, changedCells, isAiStep, isAiText } from '#lib/domain/personalize/review'
import { chooseVariant } from '#lib/domain/sending/variants'
import { leadsWithoutFile, loadLeadFileKeys } from '#lib/services/messages/attached/lead-files'
import { campaignTexts } from '#lib/services/messages/campaign-texts'
import { SEALED, saysNothing } from '#lib/services/sending/approved-texts'
import type { DueCampaign } from '#lib/services/sending/load'

type Campaign = Pick<
  DueCampaign,
  'campaign_id' | 'workspace_id' | 'dataset_id' | 'steps_config' | 'unreviewed_launch_policy'
>

/**
 * Leads that a step would hold right now: without an approved text, with one whose cells have changed since, or without their own
 * file.
 */
export type HeldTexts = {
  step: number
  missing: ReadonlySet<number>
  changed: ReadonlySet<number>
  files: ReadonlySet<number>
}

/** By step, for these leads. A campaign without AI steps and without files per lead holds nobody. */
export async function heldTexts(
  reader: Reader,
  campaign: Campaign,
  leads: ArrayLike<number>,
): Promise<HeldTexts[]> {
  const steps = campaign.steps_config.filter((config) => isAiStep(config) && !saysNothing(config))
  const byText = await Promise.all(
    steps.map(async (config) => {
      const [approved, changed] = await Promise.all([
        approvedLeads(reader, campaign, config),
        changedLeads(reader, campaign, config),
      ])
      const gaps = {
        step: config.step,
        missing: new Set<number>(),
        changed: new Set<number>(),
        files: new Set<number>(),
      }
      for (let place = 0; place < leads.length; place++) {
        const lead = leads[place] ?? -1
        const isMissing = !approved.has(lead) && campaign.unreviewed_launch_policy !== 'launch_default'
        if (!isMissing && !changed.has(lead)) continue
        if (isTheirs(campaign, config, lead)) (isMissing ? gaps.missing : gaps.changed).add(lead)
      }
      return gaps
    }),
  )
  return [...byText, ...(await heldFiles(reader, campaign, leads))]
}

/** Leads whose variant attaches a file per lead, holds leads without one, and has none for them. */
async function heldFiles(reader: Reader, campaign: Campaign, leads: ArrayLike<number>): Promise<HeldTexts[]> {
  const mails = campaign.steps_config.filter(({ channel }) => channel === 'email')
  const ids = mails.flatMap(({ variants }) => variants.flatMap(({ template_id }) => template_id ?? []))
  const texts = await campaignTexts(reader, campaign, ids)
  const keys = await loadLeadFileKeys(reader, campaign.workspace_id, texts)
  const without = new Map<string, ReadonlySet<number>>()
  for (const [id, { lead_files }] of texts)
    if (lead_files?.without === 'hold')
      without.set(id, await leadsWithoutFile(reader, campaign, lead_files, keys.get(id) ?? new Map()))
  if (without.size === 0) return []
  return mails.map((config) => {
    const files = new Set<number>()
    for (let place = 0; place < leads.length; place++) {
      const lead = leads[place] ?? -1
      const template = chosenVariant(campaign, config, lead)?.template_id
      if (template && without.get(template)?.has(lead)) files.add(lead)
    }
    return { step: config.step, missing: new Set<number>(), changed: new Set<number>(), files }
  })
}

function chosenVariant({ campaign_id }: Campaign, { step, variants }: StepConfig, lead_index: number) {
  const chosen = chooseVariant(variants, { campaign_id, lead_index, step })
  return chosen === null ? null : (variants[chosen] ?? null)
}

const isTheirs = (campaign: Campaign, config: StepConfig, lead: number): boolean =>
  isAiText(config, chosenVariant(campaign, config, lead))

async function approvedLeads(reader: Reader, { campaign_id }: Campaign, { step }: StepConfig) {
  const { rows } = await reader.query<{ list: string | null }>(
    `SELECT string_agg(DISTINCT lead_index::text, ',') AS list FROM generations
     WHERE campaign_id = $1 AND step = $2 AND approved_at IS NOT NULL`,
    [campaign_id, step],
  )
  return new Set((rows[0]?.list ?? '').split(',').filter(Boolean).map(Number))
}

/** Compares cells in SQL first; only texts whose row differs from the approved cells are checked closely. */
async function changedLeads(reader: Reader, { campaign_id, dataset_id }: Campaign, { step }: StepConfig) {
  const { rows } = await reader.query<ApprovedText & { lead_index: number; row: Record<string, unknown> }>(
    `SELECT g.*, r.data || jsonb_strip_nulls(jsonb_build_object('email', r.email)) AS row FROM (
       SELECT DISTINCT ON (lead_index) lead_index, subject, body, seal, ${SEALED} FROM generations
       WHERE campaign_id = $1 AND step = $2 AND approved_at IS NOT NULL
       ORDER BY lead_index, approved_at DESC, generation_id DESC) g
     JOIN dataset_rows r ON r.dataset_id = $3 AND r.lead_index = g.lead_index
     WHERE g.approved_cells IS NULL
       OR NOT r.data || jsonb_strip_nulls(jsonb_build_object('email', r.email)) @> g.approved_cells`,
    [campaign_id, step, dataset_id],
  )
  return new Set(
    rows.flatMap(({ lead_index, row, ...text }) =>
      changedCells(text, row)?.length === 0 ? [] : [lead_index],
    ),
  )
}

/** Whether a lead would wait at a step. */
export const isHeldAt =
  (held: readonly HeldTexts[]) =>
  (lead: number, step: number): boolean =>
    held.some(
      (one) => one.step === step && (one.missing.has(lead) || one.changed.has(lead) || one.files.has(lead)),
    )
