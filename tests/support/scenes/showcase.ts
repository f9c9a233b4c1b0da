import { CreateReportLink } from '#lib/contracts/campaigns/report-links'
import { db } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { createReportLink } from '#lib/services/campaigns/reports/report-links'
import { issueLink } from '#lib/services/senders/accounts/account-links'
import { stopUrl } from '#lib/services/telling/analytics-emails'
import { makeLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { aRun, somePosts, someWords } from './showcase/content.ts'
import { someDatasets } from './showcase/datasets.ts'
import { aShownForm } from './showcase/forms.ts'
import { someNews } from './showcase/news.ts'
import { type Owner, someCampaigns } from './showcase/outreach.ts'
import { someContacts } from './showcase/people.ts'
import { aWebhook, deliverSome, someSandbox, someSenders, someSettings } from './showcase/settings.ts'
import { aConversation, someTalks } from './showcase/talk.ts'

const tokenOf = ({ url }: { url: string }) => new URL(url).pathname.split('/').at(-1) ?? ''

/** Fills an account so that every page has something to show. Returns the ids that page addresses need. */
export async function aShowcase(owner: Owner, now: Date): Promise<Record<string, string>> {
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { tier: 'growth' } })
  const senders = await someSenders(owner, now)
  const { webhook } = await aWebhook(owner, now)
  const data = await someDatasets(owner, now)
  const from = { mailbox_id: senders.mailbox, account_id: senders.account }
  const campaigns = await someCampaigns(owner, data.dataset, from, now)
  const people = await someContacts(workspace_id, data.dataset)
  const where = { ...from, campaign_id: campaigns.running, campaign_lead_id: campaigns.replied }
  await someNews(owner, campaigns.running, now)
  await someSettings(owner, now)
  const shown = { name: 'Results for Meridian', campaign_ids: [campaigns.running], show_names: true }
  const report = CreateReportLink.body.parse(shown)
  return {
    operation: 'createCampaign',
    upload: 'importSpreadsheet',
    me: owner.user_id,
    ...senders,
    ...data,
    ...campaigns,
    ...people,
    ...(await aShownForm(owner, { ...data, ...from, campaign_id: campaigns.running }, now)),
    webhook,
    ...(await deliverSome(webhook, now)),
    ...(await someTalks(owner, where, now)),
    ...(await aConversation(owner)),
    ...(await someWords(owner)),
    ...(await somePosts(owner, senders.account, now)),
    ...(await aRun(owner, data.dataset, now)),
    ...(await someSandbox(owner, senders, now)),
    report: tokenOf(await createReportLink({ ...owner, role: 'owner' }, report, now)),
    analytics_email: stopUrl(owner).split('/').at(-1) ?? '',
    unsubscribe: unsubscribeToken({ workspace_id, action_id: campaigns.action }, keyFor('unsubscribe')) ?? '',
    sign_in: issueLink({ workspace_id, network: 'linkedin', return_path: '/accounts', account_id: null }, now)
      .state,
    first_account: tokenOf(await makeLink({ purpose: 'first_account', user_id: null }, now)),
    used_link: 'used',
    reset: tokenOf(await makeLink({ purpose: 'password', user_id: owner.user_id }, now)),
  }
}
