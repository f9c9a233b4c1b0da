'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import { UndoCampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { LaunchCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { ResolveUncertainAction } from '#lib/contracts/leads/uncertain-actions'
import { requireUser } from '#lib/http/session'
import { previewUpdate } from '#lib/services/changes/previews'
import { undoCampaignEdit } from '#lib/services/changes/undo'
import { updateCampaign } from '#lib/services/changes/update'
import { launchAt, launchCampaign } from '#lib/services/launch/lifecycle'
import { resolveUncertainAction } from '#lib/services/leads/uncertain-actions'
import { formResult, orNull, textOf, versionOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'
import { readSchedule } from './schedule/fields.ts'

const idOf = (campaignId: string) => UpdateCampaign.params.parse({ campaign_id: campaignId }).campaign_id

export async function saveSchedule(
  campaignId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = UpdateCampaign.body.parse({ ...readSchedule(data), version: versionOf(data) })
    await updateCampaign(user.user_id, idOf(campaignId), body)
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath(`/campaigns/${campaignId}`, 'layout')
    return 'The schedule is saved.'
  })
}

const settingsOf = (data: FormData) => ({
  name: textOf(data, 'name'),
  description: textOf(data, 'description') || null,
  connected_account_id: textOf(data, 'connected_account_id') || null,
  stop_on_company_reply: data.get('stop_on_company_reply') === 'on',
  auto_variant_weights: data.get('auto_variant_weights') === 'on',
  unreviewed_launch_policy: textOf(data, 'unreviewed_launch_policy'),
  version: versionOf(data),
})

/** What saving the schedule or the settings of a launched campaign would do; null where the saving would be refused. */
export async function previewChange(
  campaignId: string,
  form: 'schedule' | 'settings',
  data: FormData,
): Promise<EditPreview | null> {
  const user = await requireUser()
  const body = UpdateCampaign.body.safeParse(form === 'schedule' ? readSchedule(data) : settingsOf(data))
  if (!body.success) return null
  const preview = await orNull(previewUpdate(user.user_id, idOf(campaignId), body.data, new Date()))
  return preview && EditPreview.parse(preview)
}

export async function undoEdit(campaignId: string, editId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const params = UndoCampaignEdit.params.parse({ campaign_id: campaignId, edit_id: editId })
    await undoCampaignEdit(user.user_id, params.campaign_id, params.edit_id, new Date())
    await noted(user, UndoCampaignEdit, params)
    revalidatePath('/campaigns', 'layout')
    return 'The edit is undone.'
  })
}

export async function saveSettings(
  campaignId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = UpdateCampaign.body.parse(settingsOf(data))
    await updateCampaign(user.user_id, idOf(campaignId), body)
    await noted(user, UpdateCampaign, { campaign_id: campaignId })
    revalidatePath('/campaigns', 'layout')
    return 'The settings are saved.'
  })
}

/** Now, or at a time of day and date in the campaign's own zone. */
export async function launch(campaignId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { campaign_id } = LaunchCampaign.params.parse({ campaign_id: campaignId })
    const now = new Date()
    const policy = textOf(data, 'unreviewed_launch_policy')
    if (policy) {
      const { unreviewed_launch_policy } = UpdateCampaign.body.parse({ unreviewed_launch_policy: policy })
      await updateCampaign(user.user_id, campaign_id, { unreviewed_launch_policy })
    }
    if (data.get('when') === 'later') await launchAt(user.user_id, campaign_id, textOf(data, 'start_at'), now)
    else await launchCampaign(user.user_id, campaign_id, null, now)
    await noted(user, LaunchCampaign, { campaign_id })
    revalidatePath('/campaigns', 'layout')
    redirect(`/campaigns/${campaign_id}`)
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
