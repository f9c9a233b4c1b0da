import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AnswerSandboxMessage } from '#lib/contracts/sandbox'
import { db, pool } from '#lib/db/client'
import { SANDBOX_ANSWERS } from '#lib/domain/sandbox-answers'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createSandboxServer } from '#lib/providers/mail/sandbox-smtp'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { dispatchDue } from '#lib/services/dispatch/run'
import { pollInboxes } from '#lib/services/inbound/poll'
import { call } from '#tests/support/call'
import { launched, minutes } from '#tests/support/launched'

const policy = { allow_private_hosts: true }
const smtp = createSmtpProvider({ policy })
const server = createSandboxServer({
  store: async (messages) => {
    await db.sandboxMessage.createMany({
      data: messages.map((message) => ({ ...message, raw: new Uint8Array(message.raw) })),
    })
  },
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  process.env.SANDBOX_SMTP_PORT = String((server.server.address() as AddressInfo).port)
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
    port: Number(process.env.SANDBOX_SMTP_PORT),
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
    expect(await db.suppression.count({ where: { user_id: made.owner.user_id } })).toBe(suppressed)
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
    where: { user_id: made.owner.user_id },
    orderBy: { created_at: 'asc' },
  })
  expect(reply?.text).toContain('Ja, gern. 👍')
  expect(away?.kind).toBe('automatic_reply')
  const row = await db.inboundMessage.findFirst({
    where: { user_id: made.owner.user_id, kind: 'automatic_reply' },
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
