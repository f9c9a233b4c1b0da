'use server'

import { revalidatePath } from 'next/cache'
import type { RenderStep } from '#components/sequence/editor-props'
import type { SequenceEdit } from '#components/sequence/use-saving'
import type { StepRendered } from '#components/step-previews/preview-pane'
import type { FormResult } from '#components/ui/controls/action-form'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { previewUpdate } from '#lib/services/changes/previews'
import { updateCampaign } from '#lib/services/changes/update'
import { previewDraft, sendTest } from '#lib/services/step-previews/step-previews'
import { formResult, numberOf, orNull, textOf } from '../../../../form-result.ts'
import { noted } from '../../../../noted.ts'
import { previewNotes } from '../preview-notes.ts'

const idOf = (campaignId: string) => UpdateCampaign.params.parse({ campaign_id: campaignId }).campaign_id

const bodyOf = ({ steps_config, connected_account_id, type, version }: SequenceEdit) =>
  UpdateCampaign.body.parse({
    steps_config,
    version,
    ...(type === undefined ? {} : { type }),
    ...(connected_account_id === undefined ? {} : { connected_account_id }),
  })

export async function saveSequence(
  campaignId: string,
  edit: SequenceEdit,
): Promise<FormResult & { edit_id?: string | null }> {
  const user = await requireUser()
  let edit_id: string | null = null
  const result = await formResult(async () => {
    edit_id = (await updateCampaign(user.user_id, idOf(campaignId), bodyOf(edit))).edit_id
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath(`/campaigns/${campaignId}`, 'layout')
    return 'The sequence is saved.'
  })
  return { ...result, edit_id }
}

/** What saving these steps would do; null where they would be refused, as the saving then says. */
export async function previewSequence(campaignId: string, edit: SequenceEdit): Promise<EditPreview | null> {
  const user = await requireUser()
  const body = bodyOf(edit)
  const preview = await orNull(previewUpdate(user.user_id, idOf(campaignId), body, new Date()))
  return preview && EditPreview.parse(preview)
}

/** Of the others an invitation may come without a note, and the rest says nothing. */
const NEEDS_TEXT = ['email', 'message', 'inmail', 'comment_post']

const nothing = (problem: string): StepRendered => ({
  to: null,
  from: null,
  subject: null,
  text: '',
  raw: null,
  problems: [problem],
  notes: [],
})

/** A step as it stands in the editor, saved or not, made by the functions that make what leaves. */
export async function renderStep(
  campaignId: string,
  wanted: Parameters<RenderStep>[0],
): Promise<StepRendered> {
  const user = await requireUser()
  const { step, lead_index, variant } = wanted
  const draft = UpdateCampaign.body.pick({ steps_config: true, connected_account_id: true }).safeParse({
    steps_config: wanted.steps,
    connected_account_id: wanted.connected_account_id,
  })
  const which = PreviewStep.body.safeParse({ step, lead_index, variant: variant ?? undefined })
  if (!draft.success || !draft.data.steps_config || !which.success)
    return nothing('The steps cannot be saved as they are.')
  const { steps_config, connected_account_id = null } = draft.data
  const config = steps_config[step - 1]
  const isWritten = config?.message_template?.trim() || config?.variants.some((one) => one.template_id)
  if (
    !isWritten &&
    (!config || NEEDS_TEXT.includes(config.channel === 'email' ? 'email' : config.action_type))
  )
    return nothing('Nothing is written yet.')
  const { to, message, mail, social, problem } = await previewDraft(
    user.user_id,
    idOf(campaignId),
    steps_config,
    { ...which.data, connected_account_id },
    new Date(),
  )
  return {
    to,
    from: mail?.from ?? null,
    subject: mail ? mail.subject : (social?.subject ?? null),
    text: message?.text ?? '',
    raw: mail?.raw ?? null,
    problems: problem === null ? [] : [problem],
    notes: social ? previewNotes(social) : [],
  }
}

/** The saved step once to an address of the owner's choice, outside the campaign. */
export async function sendTestOf(
  campaignId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = SendTest.body.parse({
      step: numberOf(data, 'step'),
      lead_index: numberOf(data, 'lead_index'),
      variant: textOf(data, 'variant') || undefined,
      to: textOf(data, 'to'),
    })
    const { sent, response, to } = await sendTest(user.user_id, idOf(campaignId), body, new Date())
    await noted(user, SendTest, { campaign_id: campaignId })
    if (!sent) throw new AppError('provider_rejected', { message: `The server refused it: ${response}` })
    return `The test is on its way to ${to}.`
  })
}
