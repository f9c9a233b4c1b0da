import * as agent from '#lib/operations/assistant/agent'
import * as billing from '#lib/operations/billing/billing'
import * as payer from '#lib/operations/billing/payer'
import * as campaignDecisions from '#lib/operations/campaigns/campaign-decisions'
import * as campaignEdits from '#lib/operations/campaigns/campaign-edits'
import * as campaigns from '#lib/operations/campaigns/campaigns'
import * as forecasts from '#lib/operations/campaigns/forecasts'
import * as reportLinks from '#lib/operations/campaigns/report-links'
import * as results from '#lib/operations/campaigns/results'
import * as stepPreviews from '#lib/operations/campaigns/step-previews'
import * as datasetRows from '#lib/operations/datasets/dataset-rows'
import * as datasets from '#lib/operations/datasets/datasets'
import * as googleSheets from '#lib/operations/datasets/google-sheets'
import * as uploads from '#lib/operations/datasets/uploads'
import * as dmarcReports from '#lib/operations/domains/dmarc-reports'
import * as domains from '#lib/operations/domains/domains'
import * as postmaster from '#lib/operations/domains/postmaster'
import * as snds from '#lib/operations/domains/snds'
import * as datasetSessions from '#lib/operations/enrichment/dataset-sessions'
import * as emailFinder from '#lib/operations/enrichment/email-finder'
import * as verification from '#lib/operations/enrichment/verification'
import * as inbox from '#lib/operations/inbox/inbox'
import * as inboxDrafts from '#lib/operations/inbox/inbox-drafts'
import * as inboxNotes from '#lib/operations/inbox/inbox-notes'
import * as inboxPresence from '#lib/operations/inbox/inbox-presence'
import * as intentRules from '#lib/operations/inbox/intent-rules'
import * as companies from '#lib/operations/leads/companies'
import * as forms from '#lib/operations/leads/forms'
import * as people from '#lib/operations/leads/people'
import * as suppressions from '#lib/operations/leads/suppressions'
import * as uncertainActions from '#lib/operations/leads/uncertain-actions'
import * as views from '#lib/operations/leads/views'
import * as attachments from '#lib/operations/messages/attachments'
import * as images from '#lib/operations/messages/images'
import * as profileUse from '#lib/operations/messages/profile-use'
import * as senderProfiles from '#lib/operations/messages/sender-profiles'
import * as templates from '#lib/operations/messages/templates'
import * as meta from '#lib/operations/meta'
import type { AnyOperation } from '#lib/operations/operation'
import * as personalize from '#lib/operations/personalize/personalize'
import * as socialPosts from '#lib/operations/posts/social-posts'
import * as samples from '#lib/operations/sandbox/samples'
import * as sandbox from '#lib/operations/sandbox/sandbox'
import * as connectedAccounts from '#lib/operations/senders/connected-accounts'
import * as mailOrganizations from '#lib/operations/senders/mail-organizations'
import * as mailboxHealth from '#lib/operations/senders/mailbox-health'
import * as mailboxOAuth from '#lib/operations/senders/mailbox-oauth'
import * as mailboxes from '#lib/operations/senders/mailboxes'
import * as placementTests from '#lib/operations/senders/placement-tests'
import * as senderMembers from '#lib/operations/senders/sender-members'
import * as socialMessages from '#lib/operations/social/social-messages'
import * as notifications from '#lib/operations/telling/notifications'
import * as webhooks from '#lib/operations/telling/webhooks'
import * as account from '#lib/operations/workspaces/account'
import * as accountSettings from '#lib/operations/workspaces/account-settings'
import * as agency from '#lib/operations/workspaces/agency'
import * as apiKeys from '#lib/operations/workspaces/api-keys'
import * as audit from '#lib/operations/workspaces/audit'
import * as auth from '#lib/operations/workspaces/auth'
import * as branding from '#lib/operations/workspaces/branding'
import * as clientCampaigns from '#lib/operations/workspaces/client-campaigns'
import * as contactPolicy from '#lib/operations/workspaces/contact-policy'
import * as groupRoles from '#lib/operations/workspaces/group-roles'
import * as identities from '#lib/operations/workspaces/identities'
import * as imports from '#lib/operations/workspaces/imports'
import * as invitations from '#lib/operations/workspaces/invitations'
import * as members from '#lib/operations/workspaces/members'
import * as overview from '#lib/operations/workspaces/overview'
import * as passkeys from '#lib/operations/workspaces/passkeys'
import * as proof from '#lib/operations/workspaces/proof'
import * as search from '#lib/operations/workspaces/search'
import * as secondFactor from '#lib/operations/workspaces/second-factor'
import * as sessions from '#lib/operations/workspaces/sessions'
import * as signInDomains from '#lib/operations/workspaces/sign-in-domains'
import * as signIns from '#lib/operations/workspaces/sign-ins'
import * as workspaces from '#lib/operations/workspaces/workspaces'

/** The registry of operations. The HTTP API, OpenAPI, MCP and the assistant's tools are generated from it. */
export const operations: AnyOperation[] = [
  auth,
  accountSettings,
  agent,
  apiKeys,
  sessions,
  signIns,
  invitations,
  members,
  signInDomains,
  groupRoles,
  clientCampaigns,
  reportLinks,
  results,
  agency,
  branding,
  workspaces,
  imports,
  overview,
  passkeys,
  secondFactor,
  proof,
  identities,
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
  datasetRows,
  googleSheets,
  forms,
  datasetSessions,
  emailFinder,
  verification,
  uploads,
  forecasts,
  templates,
  senderProfiles,
  profileUse,
  attachments,
  images,
  mailboxes,
  mailboxHealth,
  placementTests,
  mailboxOAuth,
  mailOrganizations,
  senderMembers,
  connectedAccounts,
  socialMessages,
  inbox,
  inboxDrafts,
  inboxNotes,
  intentRules,
  inboxPresence,
  domains,
  dmarcReports,
  postmaster,
  snds,
  socialPosts,
  samples,
  sandbox,
  people,
  views,
  companies,
  suppressions,
  contactPolicy,
  webhooks,
  notifications,
  billing,
  payer,
  meta,
].flatMap((resource) => Object.values(resource))
