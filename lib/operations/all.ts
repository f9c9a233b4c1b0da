import * as account from '#lib/operations/account'
import * as accountSettings from '#lib/operations/account-settings'
import * as agent from '#lib/operations/agent'
import * as apiKeys from '#lib/operations/api-keys'
import * as audit from '#lib/operations/audit'
import * as auth from '#lib/operations/auth'
import * as billing from '#lib/operations/billing'
import * as campaignDecisions from '#lib/operations/campaign-decisions'
import * as campaignEdits from '#lib/operations/campaign-edits'
import * as campaigns from '#lib/operations/campaigns'
import * as connectedAccounts from '#lib/operations/connected-accounts'
import * as datasetSessions from '#lib/operations/dataset-sessions'
import * as datasets from '#lib/operations/datasets'
import * as domains from '#lib/operations/domains'
import * as emailFinder from '#lib/operations/email-finder'
import * as forecasts from '#lib/operations/forecasts'
import * as inbox from '#lib/operations/inbox'
import * as mailboxes from '#lib/operations/mailboxes'
import * as meta from '#lib/operations/meta'
import * as notifications from '#lib/operations/notifications'
import type { AnyOperation } from '#lib/operations/operation'
import * as personalize from '#lib/operations/personalize'
import * as sandbox from '#lib/operations/sandbox'
import * as search from '#lib/operations/search'
import * as senderProfiles from '#lib/operations/sender-profiles'
import * as sessions from '#lib/operations/sessions'
import * as socialMessages from '#lib/operations/social-messages'
import * as socialPosts from '#lib/operations/social-posts'
import * as stepPreviews from '#lib/operations/step-previews'
import * as suppressions from '#lib/operations/suppressions'
import * as templates from '#lib/operations/templates'
import * as uncertainActions from '#lib/operations/uncertain-actions'
import * as uploads from '#lib/operations/uploads'
import * as webhooks from '#lib/operations/webhooks'

/** Everything that can be done here. The HTTP API, OpenAPI, MCP and the assistant's tools are made from this list. */
export const operations: AnyOperation[] = [
  auth,
  accountSettings,
  agent,
  apiKeys,
  sessions,
  search,
  audit,
  account,
  campaignEdits,
  campaigns,
  personalize,
  campaignDecisions,
  uncertainActions,
  stepPreviews,
  datasets,
  datasetSessions,
  emailFinder,
  uploads,
  forecasts,
  templates,
  senderProfiles,
  mailboxes,
  connectedAccounts,
  socialMessages,
  inbox,
  domains,
  socialPosts,
  sandbox,
  suppressions,
  webhooks,
  notifications,
  billing,
  meta,
].flatMap((resource) => Object.values(resource))
