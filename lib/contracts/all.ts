import * as account from '#lib/contracts/account'
import * as accountSettings from '#lib/contracts/account-settings'
import * as agent from '#lib/contracts/agent'
import * as apiKeys from '#lib/contracts/api-keys'
import * as audit from '#lib/contracts/audit'
import * as auth from '#lib/contracts/auth'
import * as billing from '#lib/contracts/billing'
import * as campaignAnalytics from '#lib/contracts/campaign-analytics'
import * as campaignEdits from '#lib/contracts/campaign-edits'
import * as campaignLeads from '#lib/contracts/campaign-leads'
import * as campaigns from '#lib/contracts/campaigns'
import * as connectedAccounts from '#lib/contracts/connected-accounts'
import type { Contract } from '#lib/contracts/contract'
import * as datasetSessions from '#lib/contracts/dataset-sessions'
import * as datasets from '#lib/contracts/datasets'
import * as domains from '#lib/contracts/domains'
import * as emailFinder from '#lib/contracts/email-finder'
import * as erasure from '#lib/contracts/erasure'
import * as explanations from '#lib/contracts/explanations'
import * as forecasts from '#lib/contracts/forecasts'
import * as generations from '#lib/contracts/generations'
import * as inbox from '#lib/contracts/inbox'
import * as inboxLabels from '#lib/contracts/inbox-labels'
import * as launchChecks from '#lib/contracts/launch-checks'
import * as leadStops from '#lib/contracts/lead-stops'
import * as leadTimelines from '#lib/contracts/lead-timelines'
import * as mailboxes from '#lib/contracts/mailboxes'
import * as meta from '#lib/contracts/meta'
import * as notifications from '#lib/contracts/notifications'
import * as personalize from '#lib/contracts/personalize'
import * as sandbox from '#lib/contracts/sandbox'
import * as search from '#lib/contracts/search'
import * as senderProfiles from '#lib/contracts/sender-profiles'
import * as sessions from '#lib/contracts/sessions'
import * as socialMessages from '#lib/contracts/social-messages'
import * as socialPosts from '#lib/contracts/social-posts'
import * as stepPreviews from '#lib/contracts/step-previews'
import * as suppressions from '#lib/contracts/suppressions'
import * as templates from '#lib/contracts/templates'
import * as uncertainActions from '#lib/contracts/uncertain-actions'
import * as uploads from '#lib/contracts/uploads'
import * as webhooks from '#lib/contracts/webhooks'

const exported = {
  ...account,
  ...accountSettings,
  ...agent,
  ...apiKeys,
  ...audit,
  ...auth,
  ...billing,
  ...campaignAnalytics,
  ...campaignEdits,
  ...campaignLeads,
  ...campaigns,
  ...connectedAccounts,
  ...datasetSessions,
  ...datasets,
  ...domains,
  ...emailFinder,
  ...erasure,
  ...explanations,
  ...forecasts,
  ...inbox,
  ...inboxLabels,
  ...launchChecks,
  ...leadStops,
  ...leadTimelines,
  ...mailboxes,
  ...meta,
  ...notifications,
  ...personalize,
  ...generations,
  ...sandbox,
  ...search,
  ...senderProfiles,
  ...sessions,
  ...socialPosts,
  ...socialMessages,
  ...stepPreviews,
  ...suppressions,
  ...templates,
  ...uncertainActions,
  ...uploads,
  ...webhooks,
}
type Exported = typeof exported

/** Each contract under its id: what the client's methods are called. */
export type Contracts = {
  [Name in keyof Exported as Exported[Name] extends Contract ? Exported[Name]['id'] : never]: Exported[Name]
}

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value

/** The whole API, for whoever may not import the services behind it. */
export const contracts: readonly Contract[] = Object.values<unknown>(exported).filter(isContract)
