import { db } from '#lib/db/client'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { MONDAY } from '#tests/support/scenes/launched'
import { anAccount } from '#tests/support/scenes/social'

const OPEN = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  min_interval_seconds: 0,
  daily_limit: 1_000,
}
export const VISIT = { channel: 'social', action_type: 'visit_profile' }
export const INVITE = {
  channel: 'social',
  action_type: 'connection_request',
  message_template: 'Hello {{ first_name }}',
}
export const MESSAGE = {
  channel: 'social',
  action_type: 'message',
  message_template: 'A word, {{ first_name }}.',
}
export const profile = (name: string) => ({
  email: `${name}-${crypto.randomUUID()}@example.com`,
  first_name: name,
  company: 'Acme',
  linkedin_url: `https://www.linkedin.com/in/${name}`,
})
type Row = { email: string | null; [field: string]: string | null }

/** A campaign with social steps, active since Monday, and the account that performs them. */
export async function launchedSocial(
  fields: Record<string, unknown>,
  rows: Row[] = [profile('ada')],
  account: Record<string, unknown> = {},
) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const { account_id } = await anAccount(owner)
  await db.connectedAccount.update({
    where: { account_id },
    data: { kind: 'premium', min_interval_seconds: 0, ...account },
  })
  const { dataset_id } = await aDataset(owner, rows)
  const campaign = await aCampaign(owner, { ...OPEN, dataset_id, ...fields })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { owner, mailbox, account_id, campaign_id: campaign.campaign_id }
}
