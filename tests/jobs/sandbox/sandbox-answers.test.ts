import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AnswerSandboxMessage, ListSandboxMessages } from '#lib/contracts/sandbox/sandbox'
import { db, pool } from '#lib/db/client'
import { SANDBOX_ANSWERS } from '#lib/domain/sandbox/sandbox-answers'
import { env } from '#lib/env'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createSandboxServer } from '#lib/providers/mail/sandbox-smtp'
import { storeSandboxMail } from '#lib/providers/mail/sandbox-store'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { pollInboxes } from '#lib/services/inbox/mailboxes/poll'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { aMailbox } from '#tests/support/scenes/factories'
import { launched, minutes } from '#tests/support/scenes/launched'

const NOTE = {
  reply_to: null,
  subject: 'A note',
  date: new Date(0),
  message_id: '<note@sender.test>',
  in_reply_to: null,
  references: [],
  headers: {},
  text: 'Hi',
  html: '<p>Hi</p>',
}
const policy = { allow_private_hosts: true }
const smtp = createSmtpProvider({ policy })
const server = createSandboxServer({
  store: (messages) => storeSandboxMail(pool(), messages),
  key: env().ENCRYPTION_KEY,
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  env().SANDBOX_SMTP_PORT = (server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await smtp.close()
  await new Promise<void>((resolve) => server.close(resolve))
})
beforeEach(async () => {
  await db.campaign.deleteMany()
  await db.sandboxMessage.deleteMany()
  await db.mailbox.deleteMany()
})

/** A campaign that has really sent its first mail to the sandbox. */
async function sent() {
  const made = await launched({}, 2)
  const host = {
    host: '127.0.0.1',
    port: env().SANDBOX_SMTP_PORT,
    security: 'none',
    username: null,
  }
  await db.mailbox.update({ where: { mailbox_id: made.mailbox.mailbox_id }, data: { smtp: host } })
  await dispatchDue({ mail: smtp, clock: () => minutes(0), pool: pool() })
  const [message] = await db.sandboxMessage.findMany({ orderBy: { uid: 'asc' } })
  if (!message) throw new Error('nothing reached the sandbox')
  const answer = (kind: string, more: object = {}) =>
    call(AnswerSandboxMessage, {
      as: made.owner,
      params: { sandbox_message_id: message.sandbox_message_id },
      body: { kind, ...more } as never,
    })
  const read = () =>
    pollInboxes({
      pool: pool(),
      imap: createImapProvider({ policy }),
      clock: () => new Date(),
      until: new Date(Date.now() + 60_000),
      mailbox_ids: [made.mailbox.mailbox_id],
    })
  const lead = () =>
    db.campaignLead.findFirstOrThrow({ where: { campaign_id: made.campaign_id, email: message.rcpt_to } })
  return { ...made, message, answer, read, lead }
}

test.each([
  { kind: 'reply', lead: { status: 'replied', next_step: null }, suppressed: 0 },
  {
    kind: 'out_of_office',
    lead: { status: 'active', last_event: 'automatic_reply', next_step: 2 },
    suppressed: 0,
  },
  { kind: 'hard_bounce', lead: { status: 'bounced' }, suppressed: 1 },
  { kind: 'soft_bounce', lead: { status: 'active', next_step: 1, last_event: 'retry' }, suppressed: 0 },
  { kind: 'complaint', lead: { status: 'unsubscribed', reason: 'complaint' }, suppressed: 1 },
  { kind: 'unsubscribe', lead: { status: 'unsubscribed' }, suppressed: 1 },
])(
  '$kind goes out by SMTP, comes in as mail, and does what it should',
  async ({ kind, lead, suppressed }) => {
    const made = await sent()
    const { status, body } = await made.answer(kind)
    expect([status, body]).toEqual([202, { sent_to: made.mailbox.address }])
    expect(await made.lead()).toMatchObject({ status: 'active', next_step: 2 })
    expect(await made.read()).toMatchObject({ mails: 1, failed: 0 })
    expect(await made.lead()).toMatchObject(lead)
    expect(await db.suppression.count({ where: { workspace_id: made.owner.workspace_id } })).toBe(suppressed)
    await made.read()
    expect(await db.inboundMessage.count({ where: { mailbox_id: made.mailbox.mailbox_id } })).toBe(1)
  },
)

test('says what it was told to say', async () => {
  const made = await sent()
  const until = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
  await made.answer('out_of_office', { until, text: `Grüße, away until ${until}.` })
  await made.answer('reply', { text: 'Ja, gern. 👍' })
  await made.read()
  const [away, reply] = await db.inboxMessage.findMany({
    where: { workspace_id: made.owner.workspace_id },
    orderBy: { created_at: 'asc' },
  })
  expect(reply?.text).toContain('Ja, gern. 👍')
  expect(away?.kind).toBe('automatic_reply')
  const row = await db.inboundMessage.findFirst({
    where: { workspace_id: made.owner.workspace_id, kind: 'automatic_reply' },
  })
  expect(row?.detail).toMatchObject({ returns_on: until })
})

test('every answer is covered above', () => expect(SANDBOX_ANSWERS).toHaveLength(6))

test('nobody answers a mail of somebody else', async () => {
  const one = await sent()
  const other = await launched({}, 1)
  const response = await call(AnswerSandboxMessage, {
    as: other.owner,
    params: { sandbox_message_id: one.message.sandbox_message_id },
    body: { kind: 'complaint' },
  })
  expect(response.status).toBe(404)
  expect(await one.lead()).toMatchObject({ status: 'active' })
})

/** Another owner, who connects a sandbox mailbox under an address that another workspace uses. */
async function namesake(address: string) {
  const made = await launched({}, 1)
  const { mailbox_id } = made.mailbox
  const smtp = { host: '127.0.0.1', port: env().SANDBOX_SMTP_PORT, security: 'none', username: null }
  await db.mailbox.update({ where: { mailbox_id }, data: { address, smtp } })
  return { ...made, mailbox_id }
}

const poll = (mailbox_ids: string[]) =>
  pollInboxes({
    pool: pool(),
    imap: createImapProvider({ policy }),
    clock: () => new Date(),
    until: new Date(Date.now() + 60_000),
    mailbox_ids,
  })

test('of two owners with one address each reads, answers and hears what is theirs alone, whoever was first', async () => {
  const one = await sent()
  const two = await namesake(one.mailbox.address)
  await dispatchDue({ mail: smtp, clock: () => minutes(0), pool: pool() })
  const pair = [{ ...one, mailbox_id: one.mailbox.mailbox_id }, two]
  const mails = []
  for (const { owner } of pair) {
    const { items } = (await call(ListSandboxMessages, { as: owner })).body
    const own = await db.campaignLead.findMany({ where: { campaign: { workspace_id: owner.workspace_id } } })
    expect(items.length).toBeGreaterThan(0)
    expect(
      items.map(({ rcpt_to }) => rcpt_to).filter((to) => !own.some(({ email }) => email === to)),
    ).toEqual([])
    mails.push(items[0])
  }
  for (const [index, { owner, mailbox_id }] of pair.entries()) {
    const [mine, theirs] = index === 0 ? mails : mails.toReversed()
    const other = pair[1 - index]
    const answering = (sandbox_message_id = '') =>
      call(AnswerSandboxMessage, { as: owner, params: { sandbox_message_id }, body: { kind: 'reply' } })
    expect((await answering(theirs?.sandbox_message_id)).status).toBe(404)
    expect((await answering(mine?.sandbox_message_id)).status).toBe(202)
    // The other owner's mailbox is read first, and finds nothing.
    expect(await poll([other?.mailbox_id ?? ''])).toMatchObject({ mails: 0, failed: 0 })
    expect(await poll([mailbox_id])).toMatchObject({ mails: 1, failed: 0 })
    expect(await db.inboundMessage.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
    // Replies appear in the inbox; the sandbox lists sent mail.
    expect((await call(ListSandboxMessages, { as: owner })).body.items).not.toContainEqual(
      expect.objectContaining({ rcpt_to: one.mailbox.address }),
    )
    await db.sandboxMessage.updateMany({ data: { received_at: new Date(Date.now() - 300_000) } })
  }
})

test('whoever names the address of a lead reads nothing of what was written to it', async () => {
  const made = await sent()
  const eve = await namesake(made.message.rcpt_to)
  await db.sandboxMessage.updateMany({ data: { received_at: new Date() } })
  expect(await poll([eve.mailbox_id])).toMatchObject({ mails: 0, failed: 0 })
  expect((await call(ListSandboxMessages, { as: eve.owner })).body.total).toBe(0)
})

test('a mail between two mailboxes of one owner comes in at the other', async () => {
  const made = await launched({}, 1)
  const port = env().SANDBOX_SMTP_PORT ?? 0
  const [from, to] = [await aMailbox(made.owner, { port }), await aMailbox(made.owner, { port })]
  const mail = {
    ...NOTE,
    from: { name: null, address: from.address },
    to: { name: null, address: to.address },
  }
  const sender = { ...from, smtp: from.smtp as never, dkim: null }
  const opener = createOpener(pool(), () => new Date())
  expect(await sendFrom(smtp, opener, sender, mail)).toMatchObject({ outcome: 'accepted' })
  expect(await poll([from.mailbox_id])).toMatchObject({ mails: 0, failed: 0 })
  expect(await poll([to.mailbox_id])).toMatchObject({ mails: 1, failed: 0 })
})

test('only the instance says for which mailbox a mail comes, and mail from anybody else is nobody’s', async () => {
  const made = await launched({}, 1)
  const port = env().SANDBOX_SMTP_PORT ?? 0
  const mailbox = await aMailbox(made.owner, { port })
  const address = { name: null, address: mailbox.address }
  const as = (username: string | null, password: string | null) =>
    smtp.send(
      { host: '127.0.0.1', port, security: 'none', username, password },
      { ...NOTE, from: address, to: address },
    )
  for (const role of ['from', 'to'])
    expect(await as(`${role}:${mailbox.mailbox_id}`, 'guessed')).toMatchObject({
      outcome: 'never_left',
      reason: 'auth',
    })
  expect(await as('ada', 'x')).toMatchObject({ outcome: 'accepted' })
  expect(await as(null, null)).toMatchObject({ outcome: 'accepted' })
  expect(await poll([mailbox.mailbox_id])).toMatchObject({ mails: 0, failed: 0 })
  expect((await call(ListSandboxMessages, { as: made.owner })).body.total).toBe(0)
})
