'use server'

import { revalidatePath } from 'next/cache'
import { firstStep } from '#components/sequence/steps'
import * as operations from '#lib/operations/campaigns/campaigns'
import { action, answered, formAction, perform } from '../../action.ts'
import { formText } from '../../form-result.ts'

const thisCampaign = (campaign_id: string) => ({ params: { campaign_id } })
const anew = '/campaigns'

export const createCampaign = formAction(
  operations.createCampaign,
  (data) => ({
    body: {
      name: formText(data, 'name'),
      dataset_id: formText(data, 'dataset_id'),
      type: formText(data, 'type') || undefined,
      // Valid as it is: an invitation needs no note.
      ...(formText(data, 'type') === 'social' && { steps_config: [firstStep('social')] }),
      timezone: formText(data, 'timezone') || undefined,
      description: formText(data, 'description') || null,
    },
  }),
  { anew, to: ({ campaign_id }) => `/campaigns/${campaign_id}/sequence` },
)

export const pauseCampaign = action(operations.pauseCampaign, thisCampaign, {
  anew,
  said: 'Campaign paused.',
})

export const sendNowOnce = action(operations.sendNowOnce, thisCampaign, {
  anew,
  said: 'Sending now, just this once.',
})

export const resumeCampaign = action(operations.resumeCampaign, thisCampaign, {
  anew,
  said: 'Campaign resumed.',
})

/**
 * Pauses or resumes several campaigns. Those that cannot be changed are reported; `changed` lists the others,
 * so that exactly these can be restored.
 */
export async function changeCampaigns(
  verb: 'pause' | 'resume',
  campaignIds: string[],
): Promise<{ changed: string[]; refused: string[] }> {
  const change = (campaign_id: string) =>
    verb === 'pause'
      ? perform(operations.pauseCampaign, thisCampaign(campaign_id))
      : perform(operations.resumeCampaign, thisCampaign(campaign_id))
  const changed: string[] = []
  const refused: string[] = []
  for (const campaign_id of new Set(campaignIds.slice(0, 100))) {
    const done = await answered(() => change(campaign_id))
    if (done.ok) changed.push(campaign_id)
    else refused.push(done.message)
  }
  revalidatePath('/campaigns', 'layout')
  return { changed, refused }
}

export const duplicateCampaign = action(
  operations.duplicateCampaign,
  (campaign_id: string) => ({ ...thisCampaign(campaign_id), body: {} }),
  { anew, to: ({ campaign_id }) => `/campaigns/${campaign_id}` },
)

/** Redirects to the list, since the deleted campaign's page is gone. */
export const deleteCampaign = action(operations.deleteCampaign, thisCampaign, { anew, to: '/campaigns' })
