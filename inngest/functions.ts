import { deliverWebhooks } from '#inngest/functions/deliver-webhooks'
import { dispatchDueActions } from '#inngest/functions/dispatch-due-actions'
import { doChores } from '#inngest/functions/do-chores'
import { fillSearches } from '#inngest/functions/fill-searches'
import { handleInbound } from '#inngest/functions/handle-inbound'
import { importArchive } from '#inngest/functions/import-archive'
import { launchCampaign } from '#inngest/functions/launch-campaign'
import { personalizeLeads } from '#inngest/functions/personalize-leads'
import { pollInboxes } from '#inngest/functions/poll-inboxes'
import { processDataset } from '#inngest/functions/process-dataset'
import { publishPosts } from '#inngest/functions/publish-posts'
import { readAccounts } from '#inngest/functions/read-accounts'
import { readIntents } from '#inngest/functions/read-intents'
import { runDatasetSession } from '#inngest/functions/run-dataset-session'
import { sendAnswers } from '#inngest/functions/send-answers'
import { sendNotifications } from '#inngest/functions/send-notifications'
import { sweep } from '#inngest/functions/sweep'

/** Every background function of the product. */
export const functions = [
  dispatchDueActions,
  launchCampaign,
  pollInboxes,
  handleInbound,
  readAccounts,
  processDataset,
  importArchive,
  runDatasetSession,
  personalizeLeads,
  deliverWebhooks,
  sendNotifications,
  publishPosts,
  readIntents,
  sendAnswers,
  doChores,
  fillSearches,
  sweep,
]
