import { expect, test } from 'vitest'
import { ReadSenderProfileUse } from '#lib/contracts/messages/profile-use'
import { CreateSenderProfile } from '#lib/contracts/messages/sender-profiles'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE)
const DAY = 24 * 60

type Owner = Awaited<ReturnType<typeof aUser>>

async function aProfile(owner: Owner, profile_name: string, is_default = false): Promise<string> {
  const body = { profile_name, sender_data: { name: profile_name }, is_default }
  return (await call(CreateSenderProfile, { as: owner, body })).body.id ?? ''
}

const read = async (as: Owner, id: string) => (await call(ReadSenderProfileUse, { as, params: { id } })).body

/** Two variants of one step: the first uses the profile `named`, the second the default one. */
async function aMixedCampaign(owner: Owner, named: string) {
  const words = { subject: 'Hello', message_template: 'Hi' }
  const variants = [{ ...words, sender_profile_id: named }, words]
  return aCampaign(owner, { name: 'Spring', steps_config: [{ delay_days: 0, ...words, variants }] })
}

type Sent = {
  campaign_id: string
  variant_label: string
  minutes: number
  mailbox_id: string
  email: string
}

async function send(owner: Owner, { campaign_id, variant_label, minutes, mailbox_id, email }: Sent) {
  const { workspace_id } = owner
  const { campaign_lead_id } = await anEnrolledLead(owner, { campaign_id, email, lead_index: minutes })
  await db.action.create({
    data: {
      campaign_lead_id,
      campaign_id,
      workspace_id,
      step: 1,
      channel: 'email',
      action_type: 'email',
      variant_label,
      mailbox_id,
      status: 'sent',
      performed_at: ago(minutes),
      subject: `Hello ${email}`,
    },
  })
  return campaign_lead_id
}

test('what was sent as a profile is told by campaign, sender and day, and what is another’s or older is not', async () => {
  const owner = await aUser()
  const { mailbox_id, address } = await aMailbox(owner)
  const [named, usual] = [await aProfile(owner, 'Ada'), await aProfile(owner, 'Dana', true)]
  const { campaign_id } = await aMixedCampaign(owner, named)
  const sent = { campaign_id, mailbox_id }
  const lead = await send(owner, { ...sent, variant_label: 'A', minutes: 1, email: 'a@example.com' })
  await send(owner, { ...sent, variant_label: 'A', minutes: 2 * DAY, email: 'b@example.com' })
  await send(owner, { ...sent, variant_label: 'A', minutes: 40 * DAY, email: 'old@example.com' })
  await send(owner, { ...sent, variant_label: 'B', minutes: 3, email: 'c@example.com' })
  await db.campaignLead.update({
    where: { campaign_lead_id: lead },
    data: { status: 'replied', last_event_at: ago(0), next_step: null, next_action_at: null },
  })

  const ada = await read(owner, named)
  expect(ada.total).toEqual({ sent: 2, replied: 1 })
  expect(ada.days).toHaveLength(30)
  expect(ada.days.reduce((sum, day) => sum + day.sent, 0)).toBe(2)
  expect(ada.campaigns).toMatchObject([{ campaign_id, name: 'Spring', steps: [1], sent: 2, replied: 1 }])
  expect(ada.senders).toMatchObject([{ sender_id: mailbox_id, kind: 'mailbox', name: address }])
  expect(ada.recent.map(({ subject }) => subject)).toEqual(['Hello a@example.com', 'Hello b@example.com'])

  const dana = await read(owner, usual)
  expect([dana.total, dana.recent.map(({ name }) => name)]).toEqual([
    { sent: 1, replied: 0 },
    ['c@example.com'],
  ])
})

test('a profile that nothing uses says so, and one of another workspace is not found', async () => {
  const [owner, stranger] = [await aUser(), await aUser()]
  const id = await aProfile(owner, 'Ada')
  expect(await read(owner, id)).toMatchObject({
    total: { sent: 0, replied: 0 },
    campaigns: [],
    campaigns_left_out: 0,
    runs: 0,
    senders: [],
    recent: [],
  })
  expect((await call(ReadSenderProfileUse, { as: stranger, params: { id } })).status).toBe(404)
})
