'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { undoCampaignEdit } from '#lib/operations/campaigns/campaign-edits'
import { launchCampaign, updateCampaign } from '#lib/operations/campaigns/campaigns'
import { replaceCampaignIntentRules } from '#lib/operations/inbox/intent-rules'
import { resolveUncertainAction } from '#lib/operations/leads/uncertain-actions'
import { action, formAction, perform, rehearse } from '../../../action.ts'
import { formResult, formText, formVersion, orNull } from '../../../form-result.ts'
import { rulesIn } from '../../rule-choices.ts'
import { readSchedule } from './schedule/fields.ts'

const thisCampaign = (campaign_id: string) => ({ params: { campaign_id } })
const anew = '/campaigns'

export const saveSchedule = formAction(
  updateCampaign,
  (data, campaign_id: string) => ({
    ...thisCampaign(campaign_id),
    body: { ...readSchedule(data), version: formVersion(data) },
  }),
  { anew, said: 'Schedule saved.' },
)

const readSettings = (data: FormData) => ({
  name: formText(data, 'name'),
  description: formText(data, 'description') || null,
  connected_account_id: formText(data, 'connected_account_id') || null,
  sender_rotation: formText(data, 'sender_rotation') || undefined,
  match_providers: data.get('match_providers') === 'on',
  stop_on_company_reply: data.get('stop_on_company_reply') === 'on',
  skip_emails: formText(data, 'skip_emails'),
  contact_policy_override: formText(data, 'contact_policy_override').trim() || null,
  bcc_address: formText(data, 'bcc_address') || null,
  auto_variant_weights: data.get('auto_variant_weights') === 'on',
  unreviewed_launch_policy: formText(data, 'unreviewed_launch_policy'),
  version: formVersion(data),
})

/** The effect of saving the schedule or settings of a launched campaign; null if saving would be refused. */
export async function previewChange(
  campaignId: string,
  form: 'schedule' | 'settings',
  data: FormData,
): Promise<EditPreview | null> {
  const body = form === 'schedule' ? readSchedule(data) : readSettings(data)
  return orNull(rehearse(updateCampaign, { ...thisCampaign(campaignId), body }))
}

export const undoEdit = action(
  undoCampaignEdit,
  (campaign_id: string, edit_id: string) => ({ params: { campaign_id, edit_id } }),
  { anew, said: 'Edit undone.' },
)

export const saveSettings = formAction(
  updateCampaign,
  (data, campaign_id: string) => ({ ...thisCampaign(campaign_id), body: readSettings(data) }),
  { anew, said: 'Settings saved.' },
)

export const saveCampaignRules = formAction(
  replaceCampaignIntentRules,
  (data, campaign_id: string) => ({ ...thisCampaign(campaign_id), body: rulesIn(data) }),
  { anew, said: 'Rules saved.' },
)

/** Launches now, or at a date and time in the campaign's zone. */
export async function launch(campaignId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const params = { campaign_id: campaignId }
  const later = data.get('when') === 'later' ? { start_local: formText(data, 'start_at') } : {}
  return formResult(
    async () => {
      const unreviewed_launch_policy = formText(data, 'unreviewed_launch_policy')
      if (unreviewed_launch_policy)
        await perform(updateCampaign, { params, body: { unreviewed_launch_policy } })
      await perform(launchCampaign, { params, body: later })
      revalidatePath('/campaigns', 'layout')
      redirect(`/campaigns/${campaignId}`)
    },
    (control) => (control === 'start_local' ? 'start_at' : control),
  )
}

/** The owner's decision on an uncertain send. */
export const resolveUncertain = action(
  resolveUncertainAction,
  (campaign_id: string, action_id: string, resolution: 'sent' | 'not_sent') => ({
    params: { campaign_id, action_id },
    body: { resolution },
  }),
  {
    anew,
    said: ({ will_send_again, reason }) =>
      will_send_again ? 'It will be sent again at the next slot.' : (reason ?? 'Saved.'),
  },
)

/** Hides the banner that links to the playground. */
export const dismissPlayground = action(
  updateCampaign,
  (campaign_id: string) => ({
    ...thisCampaign(campaign_id),
    body: { playground_discovery_dismissed_at: new Date().toISOString() },
  }),
  { anew },
)
