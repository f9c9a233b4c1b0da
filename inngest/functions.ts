import { dispatchDueActions } from '#inngest/functions/dispatch-due-actions'
import { launchCampaign } from '#inngest/functions/launch-campaign'
import { processDataset } from '#inngest/functions/process-dataset'
import { reviveImports } from '#inngest/functions/revive-imports'
import { shiftVariantWeights } from '#inngest/functions/shift-variant-weights'
import { startScheduledCampaigns } from '#inngest/functions/start-scheduled-campaigns'

/** Every background function of the product. */
export const functions = [
  dispatchDueActions,
  launchCampaign,
  startScheduledCampaigns,
  processDataset,
  reviveImports,
  shiftVariantWeights,
]
