import { checkDomains } from '#inngest/functions/check-domains'
import { countPosts } from '#inngest/functions/count-posts'
import { deliverWebhooks } from '#inngest/functions/deliver-webhooks'
import { dispatchDueActions } from '#inngest/functions/dispatch-due-actions'
import { handleInbound } from '#inngest/functions/handle-inbound'
import { launchCampaign } from '#inngest/functions/launch-campaign'
import { personalizeLeads } from '#inngest/functions/personalize-leads'
import { pollInboxes } from '#inngest/functions/poll-inboxes'
import { processDataset } from '#inngest/functions/process-dataset'
import { publishPosts } from '#inngest/functions/publish-posts'
import { removeStrayFiles } from '#inngest/functions/remove-stray-files'
import { reviveImports } from '#inngest/functions/revive-imports'
import { revivePersonalizations } from '#inngest/functions/revive-personalizations'
import { runDatasetSession } from '#inngest/functions/run-dataset-session'
import { sendNotifications } from '#inngest/functions/send-notifications'
import { shiftVariantWeights } from '#inngest/functions/shift-variant-weights'
import { startScheduledCampaigns } from '#inngest/functions/start-scheduled-campaigns'
import { sweepRateLimits } from '#inngest/functions/sweep-rate-limits'
import { sweepSignIns } from '#inngest/functions/sweep-sign-ins'
import { sweepAccounts } from '#inngest/functions/sweep-social-accounts'

/** Every background function of the product. */
export const functions = [
  dispatchDueActions,
  launchCampaign,
  startScheduledCampaigns,
  pollInboxes,
  handleInbound,
  processDataset,
  reviveImports,
  runDatasetSession,
  personalizeLeads,
  revivePersonalizations,
  shiftVariantWeights,
  checkDomains,
  deliverWebhooks,
  sendNotifications,
  publishPosts,
  countPosts,
  removeStrayFiles,
  sweepAccounts,
  sweepRateLimits,
  sweepSignIns,
]
