import { db } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { arrive } from '#tests/support/scenes/arrivals'
import { aCampaign } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

/** When mail comes in unless a test says otherwise. */
export const later = minutes(30)

/** The lead that the mail was sent to: the first with this address, as a branch may add another in its own campaign. */
export const leadTo = (mail: OutgoingMail) =>
  db.campaignLead.findFirstOrThrow({
    where: { email: mail.to.address },
    orderBy: { campaign_lead_id: 'asc' },
  })
export const campaignOf = (campaign_id: string) => db.campaign.findUniqueOrThrow({ where: { campaign_id } })
export const logOf = async (campaign_lead_id: string) =>
  (await db.campaignEvent.findMany({ where: { campaign_lead_id }, orderBy: { event_id: 'asc' } })).map(
    ({ kind }) => kind,
  )

/** A campaign of two steps whose first step was sent to every lead. */
export async function begun(fields: Record<string, unknown> = {}, leads = 2) {
  const made = await launched(fields, leads)
  const { outbox } = await dispatchAt(MONDAY)
  const [mail] = outbox
  if (!mail) throw new Error('nothing left')
  return { ...made, mail, outbox, in: (raw: string, at = later) => arrive(made.mailbox, raw, at) }
}

/** Another campaign of two steps for the same owner over these rows, running since Monday. */
export async function launchedOver(
  made: Awaited<ReturnType<typeof launched>>,
  dataset_id: string,
  fields: object,
) {
  const open = {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    daily_limit: 1_000,
  }
  const steps_config = [
    { ...FIRST, subject: 'Hello', message_template: 'A word.' },
    { ...SECOND, message_template: 'Again.' },
  ]
  const campaign = await aCampaign(made.owner, { ...open, steps_config, dataset_id, ...fields })
  await launchCampaign(made.owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { ...made, campaign_id: campaign.campaign_id }
}
