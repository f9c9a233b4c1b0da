import { expect, test } from 'vitest'
import { CheckInbox } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

const IMAP = { host: 'imap.example.com', port: 993, security: 'tls', username: null }

async function aReadMailbox(
  owner: Awaited<ReturnType<typeof aUser>>,
  secondsAgo: number | null,
  imap: object | null = IMAP,
) {
  const { mailbox_id } = await aMailbox(owner)
  const inbox_polled_at = secondsAgo === null ? null : new Date(Date.now() - secondsAgo * 1_000)
  await db.mailbox.update({
    where: { mailbox_id },
    data: { ...(imap && { imap }), inbox_polled_at, inbox_due_at: null },
  })
  return async () => (await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).inbox_due_at
}

test('who looks for mail has it read now: the bell rings for the mailboxes that were not read just before', async () => {
  const owner = await aUser()
  const [old, never, fresh, unreadable] = [
    await aReadMailbox(owner, 60),
    await aReadMailbox(owner, null),
    await aReadMailbox(owner, 10),
    await aReadMailbox(owner, null, null),
  ]
  const other = await aReadMailbox(await aUser(), 60)
  await db.wake.deleteMany()
  const { status, body } = await call(CheckInbox, { as: owner })
  expect([status, body]).toEqual([202, { mailboxes: 2, accounts: 0 }])
  expect(await old()).toBeInstanceOf(Date)
  expect(await never()).toBeInstanceOf(Date)
  expect(await Promise.all([fresh(), unreadable(), other()])).toEqual([null, null, null])
  expect((await db.wake.findUniqueOrThrow({ where: { bell: 'inbox' } })).gen).toBe(1n)
})
