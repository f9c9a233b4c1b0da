import fs from 'node:fs'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import {
  CreateMailbox,
  ListMailboxes,
  ReadMailbox,
  TestMailbox,
  UpdateMailbox,
} from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { createSmtpSink, type SmtpPlay } from '#tests/support/servers/smtp'

const PASSWORD = 'correct horse battery'
let auth: SmtpPlay | undefined
const sink = await createSmtpSink({ play: (stage) => (stage === 'auth' ? auth : undefined) })
// The sandbox's endpoint is the only private address that may be reached.
process.env.SANDBOX_SMTP_PORT = String(sink.port)
process.env.LOG_LEVEL = 'debug'
const logged: string[] = []
// Lines that pino writes are collected for the test instead of shown.
const write = fs.write
vi.spyOn(fs, 'write').mockImplementation(((...args: Parameters<typeof write>) => {
  const [fd, line] = args as unknown[]
  const done = args.at(-1) as unknown as (error: null, bytes: number) => void
  if (fd !== 1 || typeof line !== 'string') return write(...args)
  logged.push(line)
  queueMicrotask(() => done(null, Buffer.byteLength(line)))
}) as typeof write)

beforeEach(() => {
  auth = undefined
})
afterAll(async () => {
  await closeMailProvider()
  await sink.close()
})

let made = 0
const settings = (fields: object = {}) => ({
  address: `Ada+${++made}@Example.org`,
  smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: 'ada', password: PASSWORD },
  ...fields,
})

async function connected(owner: { workspace_id: string; user_id: string }, fields: object = {}) {
  return (await call(CreateMailbox, { as: owner, body: settings(fields) })).body
}
const rowOf = (mailbox_id: string) => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })

test('no answer, list or log line holds a password, and the column holds it sealed', async () => {
  const owner = await aUser()
  const imap = { host: 'imap.example.org', port: 993, security: 'tls', password: 'another secret' }
  const created = await call(CreateMailbox, { as: owner, body: settings({ imap }) })
  const params = created.body
  // A server that repeats the credentials in its refusal, as some do.
  auth = { reply: `535 5.7.8 no: ${Buffer.from(`\0ada\0${PASSWORD}`).toString('base64')} ${PASSWORD}` }
  const answers = [
    created,
    await call(ReadMailbox, { as: owner, params }),
    await call(UpdateMailbox, { as: owner, params, body: { signature: 'Ada' } }),
    await call(TestMailbox, { as: owner, params }),
    await call(ListMailboxes, { as: owner }),
    await call(CreateMailbox, { as: owner, body: settings({ address: params.address }) }),
    await call(CreateMailbox, { as: owner, body: settings({ smtp: { password: PASSWORD } }) }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([201, 200, 200, 200, 200, 409, 422])
  const told = JSON.stringify(answers) + logged.join('')
  expect(logged.join('')).toContain('/api/v1/mail/mailboxes')
  for (const secret of [PASSWORD, 'another secret', Buffer.from(PASSWORD).toString('base64'), 'v1.'])
    expect(told).not.toContain(secret)
  const row = await rowOf(params.mailbox_id)
  expect(JSON.stringify(row)).not.toContain(PASSWORD)
  expect([row.smtp_password, row.imap_password].map((sealed) => unseal(sealed ?? ''))).toEqual([
    PASSWORD,
    'another secret',
  ])
})

test.each([
  { name: 'the same server', change: { security: 'starttls' }, kept: true },
  { name: 'another host', change: { host: 'evil.example.com' }, kept: false },
  { name: 'another port', change: { port: 2525 }, kept: false },
  { name: 'another username', change: { username: 'eve' }, kept: false },
  { name: 'no username', change: { username: null }, kept: false },
  { name: 'a password of null', change: { password: null }, kept: false },
])('PATCH with $name keeps the password: $kept', async ({ change, kept }) => {
  const owner = await aUser()
  const smtp = { host: 'smtp.example.org', port: 587, security: 'none', username: 'ada', password: PASSWORD }
  const mailbox = await connected(owner, { smtp })
  const { status } = await call(UpdateMailbox, {
    as: owner,
    params: mailbox,
    body: { smtp: { ...mailbox.smtp, ...change } },
  })
  expect(status).toBe(200)
  const { smtp_password } = await rowOf(mailbox.mailbox_id)
  expect(smtp_password && unseal(smtp_password)).toBe(kept ? PASSWORD : null)
})

test.each(['tls', 'starttls'])('a password for %s is not told in the clear', async (security) => {
  const owner = await aUser()
  const mailbox = await connected(owner)
  const smtp = { ...mailbox.smtp, security }
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: { smtp } })
  await call(UpdateMailbox, { as: owner, params: mailbox, body: { smtp: { ...smtp, security: 'none' } } })
  expect((await rowOf(mailbox.mailbox_id)).smtp_password).toBeNull()
})

const LATER = new Date('2100-01-01T00:00:00.000Z')

test('a test says whether the mailbox can send; one that is refused pauses nobody, one that signs in wakes who waits', async () => {
  const owner = await aUser()
  const mailbox = await connected(owner)
  const campaign = await aCampaign(owner, { alias_ids: [mailbox.mailbox_id] })
  const bystander = await aCampaign(owner, { alias_ids: [(await aMailbox(owner)).mailbox_id] })
  await db.campaign.updateMany({ where: { workspace_id: owner.workspace_id }, data: { status: 'active' } })
  auth = { reply: '535 5.7.8 Bad credentials' }
  const refused = await call(TestMailbox, { as: owner, params: mailbox })
  expect(refused.status).toBe(200)
  expect(refused.body).toMatchObject({ ok: false, error: expect.stringContaining('Bad credentials') })
  const idOf = ({ campaign_id }: { campaign_id: string }) => ({ campaign_id })
  const statusOf = async (one: { campaign_id: string }) =>
    (await db.campaign.findUniqueOrThrow({ where: idOf(one) })).status
  expect((await call(ReadMailbox, { as: owner, params: mailbox })).body).toMatchObject({
    status: 'failing',
    failing_cause: 'sign_in',
    last_error: refused.body.error,
    last_checked_at: refused.body.checked_at,
  })
  expect([await statusOf(campaign), await statusOf(bystander)]).toEqual(['active', 'active'])
  await db.campaign.updateMany({ where: idOf(campaign), data: { next_slot_at: LATER } })

  auth = undefined
  const good = await call(TestMailbox, { as: owner, params: mailbox })
  expect(good.body).toMatchObject({ ok: true, error: null })
  expect((await call(ReadMailbox, { as: owner, params: mailbox })).body).toMatchObject({
    status: 'connected',
    last_error: null,
    next_try_at: null,
  })
  const woken = await db.campaign.findUniqueOrThrow({ where: idOf(campaign) })
  expect(woken.next_slot_at?.getTime()).toBeLessThan(LATER.getTime())
  expect(sink.messages).toEqual([])
})

test.each([
  ['smtp', '10.0.0.7'],
  ['smtp', 'localhost'],
  ['smtp', '[::1]'],
  ['imap', '192.168.1.20'],
])('422 for a private address as %s server, and nothing is kept: %s', async (name, host) => {
  const owner = await aUser()
  const server = { host, port: 2525, security: 'none' }
  const loc = ['body', name, 'host']
  const created = await call(CreateMailbox, { as: owner, body: settings({ [name]: server }) })
  expect(created.status).toBe(422)
  expect(created.error).toMatchObject({
    details: [{ loc, msg: expect.stringContaining('ALLOW_PRIVATE_HOSTS') }],
  })
  expect(await db.mailbox.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)

  const mailbox = await connected(owner)
  const patched = await call(UpdateMailbox, { as: owner, params: mailbox, body: { [name]: server } })
  expect(patched.status).toBe(422)
  expect((await rowOf(mailbox.mailbox_id)).version).toBe(mailbox.version)
})

test('a server on a private network is not even connected to', async () => {
  const owner = await aUser()
  const hidden = await createSmtpSink()
  const mailbox = await connected(owner)
  const smtp = { host: '127.0.0.1', port: hidden.port, security: 'none', username: null }
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: { smtp } })
  const { body } = await call(TestMailbox, { as: owner, params: mailbox })
  expect(body).toMatchObject({ ok: false, error: '127.0.0.1 is on a private network' })
  expect(hidden.counts.connections).toBe(0)
  await hidden.close()
})
