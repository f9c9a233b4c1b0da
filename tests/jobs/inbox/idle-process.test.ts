import { afterAll, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { allowIdling, stopIdling } from '#lib/services/inbox/idling/process'
import { pollMailboxes } from '#lib/services/inbox/mailboxes/round'
import { replyTo } from '#tests/support/scenes/arrivals'
import { begunOverImap, closeImapServers } from '#tests/support/servers/imap-mailbox'

Object.assign(env(), { ALLOW_PRIVATE_HOSTS: true })
afterAll(async () => {
  await stopIdling()
  await closeImapServers()
})

const dueAt = async (mailbox_id: string) =>
  (await db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })).inbox_due_at

test('a process that stays listens to what its rounds have read, until it stops; a function of a host never does', async () => {
  const { imap, id, put, mail } = await begunOverImap(1)
  const listens = async (listeners: number) => {
    await pollMailboxes([id])
    await expect.poll(imap.listeners).toBe(listeners)
  }
  await listens(0)
  allowIdling()
  Object.assign(env(), { MAIL_IDLE_MAILBOXES: 0 })
  await listens(0)
  Object.assign(env(), { MAIL_IDLE_MAILBOXES: 5 })
  await listens(1)

  // No engine runs here: the mailbox becomes due for the next bell.
  await db.mailbox.update({ where: { mailbox_id: id }, data: { inbox_due_at: null } })
  put(replyTo(mail(0)))
  imap.push()
  await expect.poll(() => dueAt(id), { timeout: 30_000 }).toBeInstanceOf(Date)

  await stopIdling()
  await expect.poll(imap.listeners).toBe(0)
  expect(await db.mailConnection.count()).toBe(0)
  await listens(0)
})
