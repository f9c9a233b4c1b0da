import { afterAll, beforeEach, expect, test } from 'vitest'
import { UpdateBranding } from '#lib/contracts/workspaces/branding'
import { CreateInvitation } from '#lib/contracts/workspaces/invitations'
import { db, pool } from '#lib/db/client'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { noticeMailbox } from '#lib/services/senders/notice-mailbox'
import { sendMessages } from '#lib/services/telling/send-notification'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { instance, later, told } from '#tests/support/scenes/notifications'
import { aSink } from '#tests/support/scenes/smtp'

process.env.ALLOW_PRIVATE_HOSTS = 'true'

beforeEach(async () => {
  await db.notification.deleteMany()
  await db.notificationMessage.deleteMany()
})
afterAll(() => closeMailProvider())

async function aSender(fields: object = {}) {
  const owner = await aUser()
  const sink = await aSink()
  const { mailbox_id, address } = await aMailbox(owner, { port: sink.port })
  await db.mailbox.update({ where: { mailbox_id }, data: { name: 'Ada of Northwind', ...fields } })
  const branded = await call(UpdateBranding, {
    as: owner,
    params: { workspace_id: owner.workspace_id },
    body: { sender_mailbox_id: mailbox_id },
  })
  return { owner, sink, mailbox_id, address, branded: branded.body }
}

async function notify(owner: Awaited<ReturnType<typeof aUser>>) {
  const here = instance()
  await told(owner)
  await here.gather(later(0))
  await sendMessages({
    pool: pool(),
    channels: here.channels,
    clock: () => later(0),
    until: later(99_999),
    mailbox: noticeMailbox,
  })
  return here.outbox
}

test('notices leave from the mailbox that the workspace chose, and count towards no limit of it', async () => {
  const { owner, sink, mailbox_id, address, branded } = await aSender()
  expect(branded).toMatchObject({ sender_mailbox_id: mailbox_id, sender_address: address })
  expect(await notify(owner)).toEqual([])
  expect(sink.messages).toHaveLength(1)
  expect(sink.messages[0]?.raw).toContain(`From: Ada of Northwind <${address}>`)
  expect(sink.messages[0]?.raw).toMatch(/Auto-Submitted: auto-generated/)
  expect(await db.senderDay.count({ where: { sender_id: mailbox_id } })).toBe(0)
  const messages = await db.notificationMessage.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(messages.filter(({ channel }) => channel === 'email')).toMatchObject([{ status: 'sent' }])
})

test.each([
  ['cannot send at the moment', FAILING],
  [
    'is not reached, so that nothing left',
    { smtp: { host: '127.0.0.1', port: 1, security: 'none', username: null } },
  ],
])('where it %s, the instance’s sender writes, once', async (_, fields) => {
  const { owner, sink } = await aSender(fields)
  const outbox = await notify(owner)
  expect(outbox).toHaveLength(1)
  expect(outbox[0]?.from.address).toBe('notifications@opener.example')
  expect(sink.messages).toHaveLength(0)
})

test('an invitation leaves from it too, also where the instance has no mail of its own', async () => {
  const { owner, sink } = await aSender()
  const { body } = await call(CreateInvitation, {
    as: owner,
    params: { workspace_id: owner.workspace_id },
    body: { email: 'new@example.com', role: 'viewer' },
  })
  expect(body.mailed).toBe(true)
  expect(sink.messages).toHaveLength(1)
})

test('a mailbox of others is none, and one that is removed is forgotten', async () => {
  const { owner, mailbox_id } = await aSender()
  const stranger = await aUser()
  const asked = await call(UpdateBranding, {
    as: stranger,
    params: { workspace_id: stranger.workspace_id },
    body: { sender_mailbox_id: mailbox_id },
  })
  expect([asked.status, asked.text]).toEqual([422, expect.stringContaining('sender_mailbox_id')])
  await db.mailbox.delete({ where: { mailbox_id } })
  expect(await notify(owner)).toHaveLength(1)
})
