'use server'

import type { StepRendered } from '#components/step-previews/preview-pane'
import { readCampaign } from '#lib/operations/campaigns/campaigns'
import { perform } from '../../../../action.ts'
import { renderStep } from '../sequence/actions.ts'

/** Renders a saved step like one being edited. */
export async function renderSaved(
  campaign_id: string,
  step: number,
  lead_index: number,
): Promise<StepRendered> {
  const { steps_config, connected_account_id = null } = await perform(readCampaign, {
    params: { campaign_id },
  })
  return renderStep(campaign_id, {
    steps: steps_config,
    step,
    variant: null,
    lead_index,
    connected_account_id,
  })
}
