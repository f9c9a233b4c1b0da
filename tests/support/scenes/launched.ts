import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'

export const MONDAY = new Date('2026-03-02T10:00:00.000Z')
export const minutes = (count: number) => new Date(MONDAY.getTime() + count * 60_000)
export const FIRST = { subject: 'Hello {{ first_name }}', message_template: 'A word about {{ company }}.' }
/** The same, with an image that tells when it is opened. */
export const WATCHED = { ...FIRST, track_opens: true }
export const SECOND = { delay_days: 1, message_template: 'Did you see my mail, {{ first_name }}?' }

/** Open around the clock, without an interval: what is due leaves at once. */
export const OPEN = {
  sending_window_start: '00:00',
  sending_window_end: '00:00',
  min_interval_seconds: 0,
  daily_limit: 1_000,
  steps_config: [FIRST, SECOND],
}

/** A campaign with its owner and one mailbox, launched on MONDAY as the background functions do it. */
export async function launched(fields: Record<string, unknown> = {}, leads = 3) {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  return { owner, mailbox, ...(await launchedFor(owner, fields, leads)) }
}

/** The same for an owner who has a mailbox already. */
export async function launchedFor(
  owner: Awaited<ReturnType<typeof aUser>>,
  fields: Record<string, unknown> = {},
  leads = 3,
) {
  const { dataset_id } = await aDataset(owner, leads)
  const campaign = await aCampaign(owner, { ...OPEN, dataset_id, ...fields })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { campaign_id: campaign.campaign_id, dataset_id }
}

/** One worker that sends all that is due at an instant. */
export const dispatchAt = (at: Date, mail = memoryMail()) =>
  dispatchDue({ mail: mail.provider, clock: () => at }).then((result) => ({ ...result, outbox: mail.outbox }))
