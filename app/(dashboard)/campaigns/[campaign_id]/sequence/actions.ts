'use server'

import { revalidatePath } from 'next/cache'
import { attachedNote } from '#components/messages/attached/attached-note'
import type { RenderStep } from '#components/sequence/editor-props'
import type { Numbers } from '#components/sequence/picture/numbers'
import type { SequenceEdit } from '#components/sequence/use-saving'
import type { StepRendered } from '#components/step-previews/preview-pane'
import type { FormResult } from '#components/ui/controls/action-form'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { AppError } from '#lib/errors'
import { readCampaignAnalytics, updateCampaign } from '#lib/operations/campaigns/campaigns'
import * as previews from '#lib/operations/campaigns/step-previews'
import { createTemplate } from '#lib/operations/messages/templates'
import { answered, formAction, perform, rehearse } from '../../../../action.ts'
import { formNumber, formText, orNull } from '../../../../form-result.ts'
import { previewNotes } from '../preview-notes.ts'

const edited = (
  campaign_id: string,
  { steps_config, connected_account_id, type, version }: SequenceEdit,
) => ({ params: { campaign_id }, body: { steps_config, version, type, connected_account_id } })

export async function saveSequence(
  campaignId: string,
  edit: SequenceEdit,
): Promise<FormResult & { edit_id?: string | null }> {
  const saved = await answered(() => perform(updateCampaign, edited(campaignId, edit)))
  if (!saved.ok) return saved
  revalidatePath(`/campaigns/${campaignId}`, 'layout')
  return { ok: true, message: 'Sequence saved.', edit_id: saved.answer.edit_id }
}

/** The effect of saving these steps; null if saving would be refused. */
export async function previewSequence(campaignId: string, edit: SequenceEdit): Promise<EditPreview | null> {
  return orNull(rehearse(updateCampaign, edited(campaignId, edit)))
}

/** Of the other actions, an invitation may have no note, and the rest have no text. */
const NEEDS_TEXT = ['email', 'message', 'inmail', 'comment_post']

const nothing = (...problems: string[]): StepRendered => ({
  to: null,
  from: null,
  subject: null,
  text: '',
  html: null,
  raw: null,
  problems,
  notes: [],
  content: [],
})

/** Renders a step as edited, saved or not, with the functions that render what is sent. */
export async function renderStep(
  campaignId: string,
  wanted: Parameters<RenderStep>[0],
): Promise<StepRendered> {
  const { steps, step, variant, ...rest } = wanted
  const config = steps[step - 1]
  const isWritten =
    config?.message_template?.trim() ||
    config?.variants?.some((one) => one.template_id || one.message_template?.trim())
  if (
    !isWritten &&
    (!config || NEEDS_TEXT.includes(config.channel === 'email' ? 'email' : config.action_type))
  )
    return { ...nothing(), notes: ['Write the message to see what a lead gets.'] }
  const rendered = await answered(() =>
    perform(previews.previewDraftStep, {
      params: { campaign_id: campaignId },
      body: { ...rest, step, variant: variant ?? undefined, steps_config: steps },
    }),
  )
  if (!rendered.ok) return nothing(rendered.fields ? 'Fix the steps before saving.' : rendered.message)
  const { to, message, mail, social, problem } = rendered.answer
  return {
    to,
    from: mail?.from ?? null,
    subject: mail ? mail.subject : (social?.subject ?? null),
    text: message?.text ?? '',
    html: mail?.html ?? null,
    raw: mail?.raw ?? null,
    problems: problem === null ? [] : [problem],
    notes: social ? previewNotes(social) : (mail?.attachments ?? []).map(attachedNote),
    content: mail?.content ?? [],
  }
}

/** Sends the saved step once to an address of the owner's choice, outside the campaign. */
export const sendTestStep = formAction(
  previews.sendTest,
  (data, campaign_id: string) => ({
    params: { campaign_id },
    body: {
      step: formNumber(data, 'step'),
      lead_index: formNumber(data, 'lead_index'),
      variant: formText(data, 'variant') || undefined,
      to: formText(data, 'to'),
    },
  }),
  {
    said: ({ sent, response, to }) => {
      if (sent) return `The test is on its way to ${to}.`
      throw new AppError('provider_rejected', { message: `The server refused it: ${response}` })
    },
  },
)

/** Saves a step's text as a template; the step keeps its own text. */
export const keepTemplate = formAction(
  createTemplate,
  (data) => ({
    body: {
      name: formText(data, 'name'),
      content: { subject: formText(data, 'subject'), body: formText(data, 'body') },
    },
  }),
  {
    anew: '/campaigns',
    control: (path) => path.replace(/^content\./, ''),
    said: ({ name }) => `“${name}” is saved as a template.`,
  },
)

/** The leads' progress for the sequence picture; null if it is unavailable. */
export async function readNumbers(campaign_id: string): Promise<Numbers | null> {
  const said = await orNull(perform(readCampaignAnalytics, { params: { campaign_id } }))
  return said && { total: said.leads.total, completed: said.leads.completed, steps: said.steps }
}
