import * as agent from '#lib/contracts/assistant/agent'
import * as billing from '#lib/contracts/billing/billing'
import * as payer from '#lib/contracts/billing/payer'
import * as activity from '#lib/contracts/campaigns/activity'
import * as campaignAnalytics from '#lib/contracts/campaigns/campaign-analytics'
import * as campaignComparison from '#lib/contracts/campaigns/campaign-comparison'
import * as campaignEdits from '#lib/contracts/campaigns/campaign-edits'
import * as campaigns from '#lib/contracts/campaigns/campaigns'
import * as explanations from '#lib/contracts/campaigns/explanations'
import * as forecasts from '#lib/contracts/campaigns/forecasts'
import * as launchChecks from '#lib/contracts/campaigns/launch-checks'
import * as lifecycle from '#lib/contracts/campaigns/lifecycle'
import * as providerAnalytics from '#lib/contracts/campaigns/provider-analytics'
import * as reportLinks from '#lib/contracts/campaigns/report-links'
import * as results from '#lib/contracts/campaigns/results'
import * as stepPreviews from '#lib/contracts/campaigns/step-previews'
import * as workspaceAnalytics from '#lib/contracts/campaigns/workspace-analytics'
import type { Contract } from '#lib/contracts/contract'
import * as datasetRows from '#lib/contracts/datasets/dataset-rows'
import * as datasets from '#lib/contracts/datasets/datasets'
import * as googleSheets from '#lib/contracts/datasets/google-sheets'
import * as tableSync from '#lib/contracts/datasets/table-sync'
import * as uploads from '#lib/contracts/datasets/uploads'
import * as dmarcReports from '#lib/contracts/domains/dmarc-reports'
import * as domains from '#lib/contracts/domains/domains'
import * as postmaster from '#lib/contracts/domains/postmaster'
import * as snds from '#lib/contracts/domains/snds'
import * as datasetSessions from '#lib/contracts/enrichment/dataset-sessions'
import * as emailFinder from '#lib/contracts/enrichment/email-finder'
import * as verification from '#lib/contracts/enrichment/verification'
import * as inboxForward from '#lib/contracts/inbox/forward'
import * as inbox from '#lib/contracts/inbox/inbox'
import * as inboxAnswers from '#lib/contracts/inbox/inbox-answers'
import * as inboxDrafts from '#lib/contracts/inbox/inbox-drafts'
import * as inboxFiles from '#lib/contracts/inbox/inbox-files'
import * as inboxLabels from '#lib/contracts/inbox/inbox-labels'
import * as inboxNotes from '#lib/contracts/inbox/inbox-notes'
import * as inboxPresence from '#lib/contracts/inbox/inbox-presence'
import * as inboxTemplates from '#lib/contracts/inbox/inbox-templates'
import * as intentRules from '#lib/contracts/inbox/intent-rules'
import * as addedLeads from '#lib/contracts/leads/added-leads'
import * as campaignLeads from '#lib/contracts/leads/campaign-leads'
import * as companies from '#lib/contracts/leads/companies'
import * as forms from '#lib/contracts/leads/forms'
import * as leadHolds from '#lib/contracts/leads/lead-holds'
import * as leadStops from '#lib/contracts/leads/lead-stops'
import * as leadTimelines from '#lib/contracts/leads/lead-timelines'
import * as people from '#lib/contracts/leads/people'
import * as suppressions from '#lib/contracts/leads/suppressions'
import * as uncertainActions from '#lib/contracts/leads/uncertain-actions'
import * as views from '#lib/contracts/leads/views'
import * as attachments from '#lib/contracts/messages/attachments'
import * as images from '#lib/contracts/messages/images'
import * as profileUse from '#lib/contracts/messages/profile-use'
import * as senderProfiles from '#lib/contracts/messages/sender-profiles'
import * as templates from '#lib/contracts/messages/templates'
import * as meta from '#lib/contracts/meta'
import * as generations from '#lib/contracts/personalize/generations'
import * as personalize from '#lib/contracts/personalize/personalize'
import * as socialPosts from '#lib/contracts/posts/social-posts'
import * as samples from '#lib/contracts/sandbox/samples'
import * as sandbox from '#lib/contracts/sandbox/sandbox'
import * as connectedAccounts from '#lib/contracts/senders/connected-accounts'
import * as mailOrganizations from '#lib/contracts/senders/mail-organizations'
import * as mailboxHealth from '#lib/contracts/senders/mailbox-health'
import * as mailboxOAuth from '#lib/contracts/senders/mailbox-oauth'
import * as mailboxes from '#lib/contracts/senders/mailboxes'
import * as placementTests from '#lib/contracts/senders/placement-tests'
import * as senderMembers from '#lib/contracts/senders/sender-members'
import * as socialMessages from '#lib/contracts/social/social-messages'
import * as notifications from '#lib/contracts/telling/notifications'
import * as webhooks from '#lib/contracts/telling/webhooks'
import * as account from '#lib/contracts/workspaces/account'
import * as accountSettings from '#lib/contracts/workspaces/account-settings'
import * as agency from '#lib/contracts/workspaces/agency'
import * as apiKeys from '#lib/contracts/workspaces/api-keys'
import * as audit from '#lib/contracts/workspaces/audit'
import * as auth from '#lib/contracts/workspaces/auth'
import * as branding from '#lib/contracts/workspaces/branding'
import * as clientCampaigns from '#lib/contracts/workspaces/client-campaigns'
import * as contactPolicy from '#lib/contracts/workspaces/contact-policy'
import * as erasure from '#lib/contracts/workspaces/erasure'
import * as groupRoles from '#lib/contracts/workspaces/group-roles'
import * as identities from '#lib/contracts/workspaces/identities'
import * as invitations from '#lib/contracts/workspaces/invitations'
import * as members from '#lib/contracts/workspaces/members'
import * as overview from '#lib/contracts/workspaces/overview'
import * as passkeys from '#lib/contracts/workspaces/passkeys'
import * as proof from '#lib/contracts/workspaces/proof'
import * as search from '#lib/contracts/workspaces/search'
import * as secondFactor from '#lib/contracts/workspaces/second-factor'
import * as sessions from '#lib/contracts/workspaces/sessions'
import * as signInDomains from '#lib/contracts/workspaces/sign-in-domains'
import * as signIns from '#lib/contracts/workspaces/sign-ins'
import * as workspaces from '#lib/contracts/workspaces/workspaces'

const exported = {
  ...account,
  ...activity,
  ...accountSettings,
  ...agent,
  ...apiKeys,
  ...audit,
  ...auth,
  ...billing,
  ...payer,
  ...campaignAnalytics,
  ...campaignComparison,
  ...campaignEdits,
  ...campaignLeads,
  ...campaigns,
  ...connectedAccounts,
  ...datasetSessions,
  ...datasets,
  ...datasetRows,
  ...tableSync,
  ...googleSheets,
  ...forms,
  ...dmarcReports,
  ...postmaster,
  ...snds,
  ...domains,
  ...emailFinder,
  ...verification,
  ...erasure,
  ...clientCampaigns,
  ...reportLinks,
  ...providerAnalytics,
  ...results,
  ...explanations,
  ...forecasts,
  ...identities,
  ...inbox,
  ...inboxAnswers,
  ...inboxDrafts,
  ...inboxForward,
  ...inboxFiles,
  ...inboxLabels,
  ...inboxNotes,
  ...intentRules,
  ...inboxPresence,
  ...inboxTemplates,
  ...launchChecks,
  ...lifecycle,
  ...addedLeads,
  ...people,
  ...views,
  ...companies,
  ...leadHolds,
  ...leadStops,
  ...leadTimelines,
  ...mailboxHealth,
  ...mailboxOAuth,
  ...mailOrganizations,
  ...mailboxes,
  ...placementTests,
  ...senderMembers,
  ...meta,
  ...notifications,
  ...invitations,
  ...members,
  ...agency,
  ...branding,
  ...signInDomains,
  ...groupRoles,
  ...workspaces,
  ...workspaceAnalytics,
  ...overview,
  ...passkeys,
  ...personalize,
  ...proof,
  ...generations,
  ...samples,
  ...sandbox,
  ...search,
  ...secondFactor,
  ...attachments,
  ...images,
  ...senderProfiles,
  ...profileUse,
  ...sessions,
  ...signIns,
  ...socialPosts,
  ...socialMessages,
  ...stepPreviews,
  ...suppressions,
  ...contactPolicy,
  ...templates,
  ...uncertainActions,
  ...uploads,
  ...webhooks,
}
type Exported = typeof exported

/** Each contract by its id, which is also the name of the client's method. */
export type Contracts = {
  [Name in keyof Exported as Exported[Name] extends Contract ? Exported[Name]['id'] : never]: Exported[Name]
}

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value

/** All contracts, for code that may not import the services behind them. */
export const contracts: readonly Contract[] = Object.values<unknown>(exported).filter(isContract)
