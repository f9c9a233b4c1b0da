import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import { db, pool } from '#lib/db/client'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { needsText, takesText } from '#lib/domain/campaigns/social-step'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { meantColumn } from '#lib/domain/datasets/meant-column'
import { type MessageTemplate, mergeFields, parseTemplate } from '#lib/domain/messages/template'
import { storedColumns } from '#lib/services/datasets/stored'
import { campaignTexts } from '#lib/services/messages/campaign-texts'

/** One finding about a campaign before its launch. `step` counts from 1. */
export type LaunchProblem = { code: string; message: string; step: number | null }

type Worded = Pick<Campaign, 'campaign_id' | 'workspace_id' | 'dataset_id' | 'steps_config'>

/** Merge fields that every lead has or that the app supplies, whatever the dataset's columns. */
export const ALWAYS_THERE = ['email', 'unsubscribe_url']

/** Blocking problems of a campaign's texts, given these template texts in place of its own. */
export async function textBlocks(
  campaign: Worded,
  taken: ReadonlyMap<string, MessageTemplate>,
): Promise<LaunchProblem[]> {
  const [dataset, texts] = await Promise.all([
    db.dataset.findFirst({ where: { dataset_id: campaign.dataset_id, workspace_id: campaign.workspace_id } }),
    loadStepTexts(campaign, taken),
  ])
  return problemsOfTexts(campaign, texts, dataset)
}

/** The fields that a text may use without a fallback. */
export const knownFields = (dataset: { columns: unknown } | null): ReadonlySet<string> =>
  new Set([...ALWAYS_THERE, ...(dataset ? storedColumns(dataset).map(({ key }) => key) : [])])

export function problemsOfTexts(
  { steps_config }: Worded,
  texts: StepText[],
  dataset: { columns: unknown } | null,
): LaunchProblem[] {
  const columns = knownFields(dataset)
  return texts.flatMap(({ step, label, text, first }): LaunchProblem[] => {
    const where = label ? `step ${step}, variant ${label}` : `step ${step}`
    const config = steps_config[step - 1]
    const action = config ? stepAction(config) : 'email'
    if (action !== 'email' && !(text ? takesText(action) : needsText(action))) return []
    if (!text) return [{ code: 'text_missing', message: `There is no text for ${where}.`, step }]
    return textProblems(text, where, first, columns).map((problem) => ({ ...problem, step }))
  })
}

function textProblems(text: MessageTemplate, where: string, first: boolean, columns: ReadonlySet<string>) {
  const parsed = parseTemplate(text)
  if (!parsed.ok)
    return parsed.problems.map(({ field, line, column, message }) => ({
      code: 'template_invalid',
      message: `The ${field} of ${where} does not parse (line ${line}, column ${column}: ${message}).`,
    }))
  const problems = mergeFields(text)
    .filter(({ name, has_fallback }) => !has_fallback && !name.startsWith('sender.') && !columns.has(name))
    .map(({ name }) => {
      const meant = meantColumn(name, columns)
      const question = meant === null ? '' : ` Did you mean {{ ${meant} }}?`
      return {
        code: 'merge_field_unknown',
        message: `{{ ${name} }} in ${where} is not a column in the dataset and has no fallback.${question}`,
      }
    })
  if (first && !text.subject?.trim())
    problems.push({
      code: 'subject_missing',
      message: `An email that may be the first needs a subject (${where}).`,
    })
  return problems
}

export type StepText = { step: number; label: string | null; text: MessageTemplate | null; first: boolean }

/** The text of each step and variant: that of the referenced template, else the one written in the step. */
export async function loadStepTexts(
  campaign: Pick<Worded, 'campaign_id' | 'workspace_id' | 'steps_config'>,
  taken: ReadonlyMap<string, MessageTemplate> = new Map(),
): Promise<StepText[]> {
  const ids = campaign.steps_config.flatMap((step) =>
    step.variants.flatMap((variant) => variant.template_id ?? []),
  )
  const templates = new Map([...(await campaignTexts(pool(), campaign, ids)), ...taken])
  const mails = campaign.steps_config.filter((step) => step.channel === 'email')
  // If a mail's condition may fail, the next mail may be the first of the thread.
  const firstSure = mails.find((step) => step.condition === 'always')?.step ?? Number.POSITIVE_INFINITY
  return campaign.steps_config.flatMap((step): StepText[] => {
    const first = step.channel === 'email' && step.step <= firstSure
    const variants = step.variants.filter((variant) => variant.weight > 0)
    if (variants.length === 0) return [{ step: step.step, label: null, text: inlineText(step), first }]
    return variants.map((variant) => ({
      step: step.step,
      label: variant.label,
      text: variant.template_id ? (templates.get(variant.template_id) ?? null) : inlineText(step, variant),
      first,
    }))
  })
}

/** The text written in the step itself, or in the variant; null if there is none. */
export function inlineText(
  step: Pick<StepConfig, 'subject' | 'message_template'>,
  variant: Variant | null = null,
): MessageTemplate | null {
  const { subject, message_template } = writtenText(step, variant)
  return message_template ? { subject, body: message_template } : null
}
