import { afterEach, expect, test } from 'vitest'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { db } from '#lib/db/client'
import { updateMailbox } from '#lib/services/senders/mailboxes'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { sink } from '#tests/support/scenes/inbox'
import { dispatchAt, FIRST, launchedFor, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60 + 1

/** Two leads whose first mail was sent from the mailbox's own address, before it was set to send as another. */
async function begun() {
  const owner = await aUser()
  const { mailbox_id, address } = await aMailbox(owner, { port: sink.port })
  const write = (body: object) => updateMailbox(owner.workspace_id, mailbox_id, body, minutes(10))
  const campaign = await launchedFor(owner, { steps_config: [FIRST, SECOND] }, 2)
  await write({ aliases: ['sales@team.test', 'hello@team.test'] })
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox.map(({ from }) => from.address)).toEqual([address, address])
  return { owner, mailbox_id, address, write, ...campaign }
}

const senders = ({ outbox }: Awaited<ReturnType<typeof dispatchAt>>) => outbox.map(({ from }) => from.address)

test('a follow-up comes from whom the mail before it came from, whatever the mailbox sends as by now', async () => {
  const { owner, campaign_id, address, write } = await begun()
  await write({ send_as: 'sales@team.test' })
  const params = { campaign_id }
  const shown = await call(PreviewStep, { as: owner, params, body: { step: 2, lead_index: 1 } })
  expect(shown.body).toMatchObject({ from: address })
  expect(senders(await dispatchAt(minutes(DAY)))).toEqual([address, address])
  const kept = await db.action.findMany({ where: { campaign_id }, select: { from_address: true } })
  expect(kept).toEqual(Array(4).fill({ from_address: address }))
})

test('a mail from before this was kept came from the mailbox’s own address', async () => {
  const { campaign_id, address, write } = await begun()
  await db.action.updateMany({ where: { campaign_id }, data: { from_address: null } })
  await write({ send_as: 'sales@team.test' })
  expect(senders(await dispatchAt(minutes(DAY)))).toEqual([address, address])
})

test('where that address was taken from the mailbox, it comes from the one that it sends as', async () => {
  const { campaign_id, write, owner } = await begun()
  await db.action.updateMany({ where: { campaign_id }, data: { from_address: 'hello@team.test' } })
  const one = await db.campaignLead.findFirstOrThrow({ where: { campaign_id, lead_index: 0 } })
  await db.action.updateMany({
    where: { campaign_lead_id: one.campaign_lead_id },
    data: { from_address: 'gone@team.test' },
  })
  await write({ send_as: 'sales@team.test' })
  const { outbox } = await dispatchAt(minutes(DAY))
  const { email } = one
  const senderOf = new Map(outbox.map(({ to, from }) => [to.address === email, from.address]))
  expect(senderOf).toEqual(
    new Map([
      [true, 'sales@team.test'],
      [false, 'hello@team.test'],
    ]),
  )
  expect(await db.action.count({ where: { workspace_id: owner.workspace_id } })).toBe(4)
})
