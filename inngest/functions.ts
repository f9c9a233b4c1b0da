import { dispatchDueActions } from '#inngest/functions/dispatch-due-actions'
import { launchCampaign } from '#inngest/functions/launch-campaign'
import { startScheduledCampaigns } from '#inngest/functions/start-scheduled-campaigns'

/** Every background function of the product. */
export const functions = [dispatchDueActions, launchCampaign, startScheduledCampaigns]
