import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db, pool } from '#lib/db/client'
import { takesText } from '#lib/domain/campaigns/social-step'
import { isHtml } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { renderMessage, renderText } from '#lib/domain/messages/message'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { type MessageTemplate, mergeFields, parseTemplate } from '#lib/domain/messages/template'
import { type Material, textCells, UNSUBSCRIBE_MARK } from '#lib/domain/personalize/material'
import { isAiStep, isAiText } from '#lib/domain/personalize/review'
import { asRecord } from '#lib/domain/text/record'
import { AppError, invalid } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { storedColumns } from '#lib/services/datasets/stored'
import { whyWithoutRows } from '#lib/services/datasets/without-rows'
import { workspaceOwner } from '#lib/services/instance/workspace-owner'
import { campaignTexts } from '#lib/services/messages/campaign-texts'
import { ALWAYS_THERE, inlineText } from '#lib/services/messages/step-texts'
import { profileData, StoredText } from '#lib/services/messages/stored'
import { getTemplate } from '#lib/services/messages/templates'
import { type Form, formOfStep } from '#lib/services/personalize/form'

export type Asked = {
  dataset_id: string
  template_id: string | null
  prompt: string | null
  sender_profile_id: string | null
  campaign_id: string | null
  step: number | null
  lead_indexes: number[] | null
}

/** What all leads of a run share, fixed when it begins. */
export type Sources = {
  dataset_id: string
  campaign_id: string | null
  step: number | null
  template_id: string | null
  sender_profile_id: string | null
  prompt: string
  template: MessageTemplate | null
  sender: Record<string, unknown>
  /** For the template's random choices: the same seed as dispatch, so the same choices. */
  seed: string
  /** Null for mail. */
  form: Form | null
}

export type Row = { lead_index: number; email: string | null; data: unknown }

/** Loads everything that a request references; refuses what is missing, another owner's, or unusable. */
export async function loadSources(workspaceId: string, asked: Asked): Promise<Sources & { total: number }> {
  const dataset = await db.dataset.findFirst({
    where: { dataset_id: asked.dataset_id, workspace_id: workspaceId },
  })
  if (!dataset) throw new AppError('dataset_not_found')
  if (dataset.row_count === 0) throw new AppError(await whyWithoutRows(dataset))
  const campaign = asked.campaign_id ? await getCampaign(workspaceId, asked.campaign_id) : null
  if (campaign && campaign.dataset_id !== asked.dataset_id)
    throw invalid(['body', 'dataset_id'], 'is not the dataset of the campaign', 'unknown_reference')
  const step = campaign ? chooseStep(campaign.steps_config, asked.step) : null
  const variant = step?.variants.find((one) => isAiText(step, one)) ?? null
  const template_id = asked.template_id ?? variant?.template_id ?? null
  const template = template_id
    ? await loadTemplate(asked.template_id ? null : campaign, workspaceId, template_id)
    : step
      ? inlineText(step, variant)
      : null
  if (template)
    checkTemplate(
      template,
      storedColumns(dataset).map(({ key }) => key),
    )
  const profile = await loadProfile(
    workspaceId,
    asked.sender_profile_id ?? variant?.sender_profile_id ?? null,
  )
  const form = campaign ? await formOfStep(campaign, step) : null
  const places = asked.lead_indexes
  const total = places
    ? await db.datasetRow.count({ where: { dataset_id: asked.dataset_id, lead_index: { in: places } } })
    : dataset.row_count
  if (total === 0) throw new AppError('dataset_empty', { message: 'None of these rows are in the dataset.' })
  return {
    dataset_id: asked.dataset_id,
    campaign_id: campaign?.campaign_id ?? null,
    step: step?.step ?? null,
    template_id,
    sender_profile_id: profile?.id ?? null,
    prompt: asked.prompt ?? campaign?.system_prompt ?? '',
    template,
    sender: {
      ...(form ? { name: form.sender_name } : await senderNames(workspaceId)),
      ...profileData(profile),
    },
    seed: campaign?.campaign_id ?? asked.dataset_id,
    form,
    total,
  }
}

function chooseStep(steps: StepConfig[], wanted: number | null): StepConfig {
  const says = (one: StepConfig) => one.channel === 'email' || takesText(one.action_type)
  const first = () => steps.find(isAiStep) ?? steps.find(says) ?? steps[0]
  const step = wanted === null ? first() : steps[wanted - 1]
  if (!step) throw invalid(['body', 'step'], `the campaign has ${steps.length} steps`, 'unknown_reference')
  return step
}

/** The campaign's stored text if its step uses the template, else the template's current text. */
async function loadTemplate(
  campaign: { campaign_id: string; workspace_id: string } | null,
  workspaceId: string,
  templateId: string,
): Promise<MessageTemplate> {
  if (campaign) {
    const kept = (await campaignTexts(pool(), campaign, [templateId])).get(templateId)
    if (kept) return kept
  }
  const { content } = await getTemplate(workspaceId, templateId)
  return StoredText.parse(content)
}

/** Reports a template that no lead could be rendered with before the run, rather than once per row. */
function checkTemplate(template: MessageTemplate, columns: string[]): void {
  const parsed = parseTemplate(template)
  if (!parsed.ok)
    throw new AppError('template_invalid', {
      message: parsed.problems
        .map(({ field, line, message }) => `${field}, line ${line}: ${message}`)
        .join('; '),
    })
  const known = new Set([...ALWAYS_THERE, ...columns])
  const unknown = mergeFields(template).filter(
    ({ name, has_fallback }) => !has_fallback && !name.startsWith('sender.') && !known.has(name),
  )
  if (unknown.length > 0)
    throw new AppError('template_invalid', {
      message: `No dataset column or fallback for ${unknown.map(({ name }) => name).join(', ')}.`,
    })
}

async function loadProfile(workspaceId: string, wanted: string | null) {
  const profile = await db.senderProfile.findFirst({
    where: { workspace_id: workspaceId, ...(wanted ? { id: wanted } : { is_default: true }) },
  })
  if (wanted && !profile) throw new AppError('sender_profile_not_found')
  return profile
}

async function senderNames(workspaceId: string): Promise<Record<string, unknown>> {
  const mailbox = await db.mailbox.findFirst({
    where: { workspace_id: workspaceId },
    orderBy: { created_at: 'desc' },
  })
  if (mailbox) return { name: mailbox.name, email: sendingAddress(mailbox) }
  const { name, email } = await workspaceOwner(workspaceId)
  return { name, email }
}

export const snapshotRow = (row: Row): Record<string, unknown> => ({
  ...asRecord(row.data),
  ...(row.email ? { email: row.email } : {}),
})

/** The facts that the text for one lead may use, or why there can be no text. */
export function buildMaterial(
  sources: Pick<Sources, 'template' | 'sender' | 'prompt' | 'seed' | 'step' | 'form'>,
  snapshot: Record<string, unknown>,
  leadIndex: number,
): { ok: true; material: Material } | { ok: false; error: string } {
  const { form } = sources
  const base = {
    cells: textCells(snapshot),
    sender: textCells(sources.sender),
    prompt: sources.prompt,
    ...(form ? { form } : {}),
  }
  if (!sources.template) return { ok: true, material: { ...base, template: null } }
  if (form) return socialMaterial(sources, sources.template, base, snapshot, leadIndex)
  const inThread = !sources.template.subject?.trim()
  const rendered = renderMessage({
    template: { ...sources.template, subject: inThread ? null : sources.template.subject },
    lead: snapshot,
    sender: sources.sender,
    seed: `${sources.seed}:${leadIndex}:${sources.step ?? 1}`,
    unsubscribe_url: UNSUBSCRIBE_MARK,
    thread_subject: inThread ? 'thread' : null,
  })
  if (!rendered.ok) return { ok: false, error: rendered.problems.map(({ message }) => message).join(' ') }
  const subject = inThread ? '' : rendered.message.subject
  return { ok: true, material: { ...base, template: { subject, body: rendered.message.text } } }
}

/** The material of a social text: without a footer, and without a subject except for InMails. */
function socialMaterial(
  { sender, seed, step, form }: Pick<Sources, 'sender' | 'seed' | 'step' | 'form'>,
  { subject, body }: MessageTemplate,
  base: Omit<Material, 'template'>,
  lead: Record<string, unknown>,
  leadIndex: number,
): ReturnType<typeof buildMaterial> {
  const words = (template: string) =>
    renderText({ template, lead, sender, seed: `${seed}:${leadIndex}:${step ?? 1}` })
  const said = words(body)
  const title = form?.has_subject && subject?.trim() ? words(subject) : null
  const problems = [said, title].flatMap((part) => (part && !part.ok ? part.problems : []))
  if (!said.ok || (title && !title.ok))
    return { ok: false, error: problems.map(({ message }) => message).join(' ') }
  const text = isHtml(body) ? htmlToText(said.text) : said.text
  return { ok: true, material: { ...base, template: { subject: title?.text ?? '', body: text } } }
}

/** The names of neighbouring leads, which must not appear in this lead's text. */
export const snapshotNames = (snapshot: Record<string, unknown>): string[] =>
  ['full_name', 'first_name', 'last_name', 'company', 'email'].flatMap((key) => {
    const value = snapshot[key]
    return typeof value === 'string' && value.trim().length > 2 ? [value.trim()] : []
  })
