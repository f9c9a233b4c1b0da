'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { Rendered } from '#components/templates/message-preview'
import type { FormResult } from '#components/ui/action-form'
import { LaunchCampaign, UpdateCampaign } from '#lib/contracts/campaigns'
import { PreviewStep, SendTest } from '#lib/contracts/step-previews'
import type { StepConfig } from '#lib/contracts/steps'
import { ResolveUncertainAction } from '#lib/contracts/uncertain-actions'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { launchAt, launchCampaign } from '#lib/services/campaign-life'
import { updateCampaign } from '#lib/services/campaigns'
import { previewDraft, sendTest } from '#lib/services/step-previews'
import { resolveUncertainAction } from '#lib/services/uncertain-actions'
import { formResult, jsonOf, numberOf, textOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'
import { notesOf } from './preview-notes.ts'
import { scheduleOf } from './schedule/fields.ts'

const idOf = (campaignId: string) => UpdateCampaign.params.parse({ campaign_id: campaignId }).campaign_id

/** "steps_config.0.variants.1.template_id" as people count: "Step 1, variant 2". */
function placeOf(control: string): string {
  const [, step, , variant] = control.match(/^steps_config\.(\d+)(\.variants\.(\d+))?/) ?? []
  if (step === undefined) return control
  return `Step ${Number(step) + 1}${variant === undefined ? '' : `, variant ${Number(variant) + 1}`}`
}

export async function saveSequence(
  campaignId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = UpdateCampaign.body.parse({ steps_config: jsonOf(data, 'steps_config') })
    await updateCampaign(user.user_id, idOf(campaignId), body)
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath(`/campaigns/${campaignId}`, 'layout')
    return 'The sequence is saved.'
  }, placeOf)
}

export async function saveSchedule(
  campaignId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = UpdateCampaign.body.parse(scheduleOf(data))
    await updateCampaign(user.user_id, idOf(campaignId), body)
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath(`/campaigns/${campaignId}`, 'layout')
    return 'The schedule is saved.'
  })
}

/** Now, or at a time of day and date in the campaign's own zone. */
export async function launch(campaignId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { campaign_id } = LaunchCampaign.params.parse({ campaign_id: campaignId })
    const now = new Date()
    if (data.get('when') === 'later') await launchAt(user.user_id, campaign_id, textOf(data, 'start_at'), now)
    else await launchCampaign(user.user_id, campaign_id, null, now)
    await noted(user, LaunchCampaign, { campaign_id })
    revalidatePath('/campaigns', 'layout')
    redirect(`/campaigns/${campaign_id}`)
  })
}

/** Of the others an invitation may come without a note, and the rest says nothing. */
const NEEDS_TEXT = ['email', 'message', 'inmail', 'comment_post']

/** A step as it stands in the editor, saved or not, made by the functions that make what leaves. */
export async function renderStep(
  campaignId: string,
  steps: StepConfig[],
  step: number,
  variant: string | null,
  leadIndex: number,
): Promise<Rendered> {
  const user = await requireUser()
  const nothing = { to: null, subject: '', text: '' }
  const draft = UpdateCampaign.body.shape.steps_config.safeParse(steps)
  const which = PreviewStep.body.safeParse({ step, lead_index: leadIndex, variant: variant ?? undefined })
  if (!draft.success || !draft.data || !which.success)
    return { ...nothing, problems: ['The steps cannot be saved as they are.'] }
  const config = draft.data[step - 1]
  const isWritten = config?.message_template?.trim() || config?.variants.some((one) => one.template_id)
  if (!isWritten && (!config || NEEDS_TEXT.includes(config.action_type)))
    return { ...nothing, problems: ['Nothing is written yet.'] }
  const id = idOf(campaignId)
  const { to, message, social, problem } = await previewDraft(
    user.user_id,
    id,
    draft.data,
    which.data,
    new Date(),
  )
  const problems = problem === null ? [] : [problem]
  if (!social) return { to, ...(message ?? { subject: '', text: '' }), problems }
  return { to, subject: social.subject, text: social.text ?? '', problems, notes: notesOf(social) }
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
      variant: textOf(data, 'variant') || undefined,
      to: textOf(data, 'to'),
    })
    const { sent, response, to } = await sendTest(user.user_id, idOf(campaignId), body, new Date())
    await noted(user, SendTest, { campaign_id: campaignId })
    if (!sent) throw new AppError('provider_rejected', { message: `The server did not take it: ${response}` })
    return `The test is on its way to ${to}.`
  })
}

/** The owner's word on a send of which it is not known whether it left. */
export async function resolveUncertain(
  campaignId: string,
  actionId: string,
  resolution: 'sent' | 'not_sent',
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { action_id } = ResolveUncertainAction.params.parse({
      campaign_id: campaignId,
      action_id: actionId,
    })
    const body = ResolveUncertainAction.body.parse({ resolution })
    const answer = await resolveUncertainAction(
      user.user_id,
      idOf(campaignId),
      action_id,
      body.resolution,
      new Date(),
    )
    await noted(user, ResolveUncertainAction, { campaign_id: campaignId, action_id })
    revalidatePath(`/campaigns/${campaignId}`, 'layout')
    if (answer.will_send_again) return 'It goes out again at the next slot.'
    return answer.reason ?? 'It is noted.'
  })
}

/** The banner that leads to the playground is not shown again. */
export async function dismissPlayground(campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await updateCampaign(user.user_id, idOf(campaignId), { playground_discovery_dismissed_at: new Date() })
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath(`/campaigns/${campaignId}`)
    return undefined
  })
}
