'use server'

import type { StepRendered } from '#components/step-previews/preview-pane'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { requireUser } from '#lib/http/session'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { renderStep } from '../sequence/actions.ts'

/** A step as it is saved, rendered like one that is being edited. */
export async function renderSaved(
  campaignId: string,
  step: number,
  lead_index: number,
): Promise<StepRendered> {
  const user = await requireUser()
  const { campaign_id } = UpdateCampaign.params.parse({ campaign_id: campaignId })
  const { steps_config, connected_account_id } = await getCampaign(user.user_id, campaign_id)
  return renderStep(campaign_id, {
    steps: steps_config,
    step,
    variant: null,
    lead_index,
    connected_account_id,
  })
}
