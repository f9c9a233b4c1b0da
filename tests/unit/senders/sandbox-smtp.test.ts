import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import { createSandboxServer, findPlay, type SandboxMessage } from '#lib/providers/mail/sandbox-smtp'
import { createSmtpProvider } from '#lib/providers/mail/smtp'

let stop: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const one of stop.reverse()) await one()
  stop = []
})

async function sandbox(store?: (messages: SandboxMessage[]) => Promise<void>) {
  const kept: SandboxMessage[] = []
  const errors: string[] = []
  const keep = async (messages: SandboxMessage[]) => void kept.push(...messages)
  const server = createSandboxServer({
    store: store ?? keep,
    slow_ms: 80,
    onError: (e) => errors.push(e.message),
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.server.once('listening', resolve))
  const { port } = server.server.address() as AddressInfo
  const provider: MailProvider = createSmtpProvider({
    policy: { allow_private_hosts: false, allowed_endpoints: [{ host: '127.0.0.1', port }] },
  })
  stop.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => provider.close(),
  )
  const send = (to: string, username: string | null = null) =>
    provider.send({ host: '127.0.0.1', port, security: 'none', username, password: username }, mailTo(to))
  return { kept, errors, send }
}

const mailTo = (address: string): OutgoingMail => ({
  from: { name: 'Ada', address: 'Ada@sender.test' },
  to: { name: null, address },
  reply_to: null,
  subject: 'Grüße',
  date: new Date(0),
  message_id: '<1@sender.test>',
  in_reply_to: null,
  references: [],
  headers: {},
  text: 'Hi',
  html: '<p>Hi</p>',
})

test('keeps what anybody sends, signed in or not, with a summary', async () => {
  const { kept, send } = await sandbox()
  expect(await send('grace@lead.test')).toMatchObject({ outcome: 'accepted' })
  expect(await send('grace@lead.test', 'any')).toMatchObject({ outcome: 'accepted' })
  expect(kept).toHaveLength(2)
  expect(kept[0]).toMatchObject({
    mail_from: 'Ada@sender.test',
    rcpt_to: 'grace@lead.test',
    from_address: 'ada@sender.test',
    message_id: '<1@sender.test>',
    subject: 'Grüße',
  })
  expect(kept[0]?.raw.toString()).toContain('Message-ID: <1@sender.test>')
})

test.each([
  {
    to: 'bounce@x.test',
    expected: { outcome: 'refused_for_good', enhanced: '5.1.1', blames: 'recipient' },
    stored: 0,
  },
  { to: 'full+3@x.test', expected: { outcome: 'refused_for_good', enhanced: '5.2.2' }, stored: 0 },
  { to: 'defer@x.test', expected: { outcome: 'refused_for_now', enhanced: '4.2.0' }, stored: 0 },
  {
    to: 'reject@x.test',
    expected: { outcome: 'refused_for_good', stage: 'body', blames: 'message' },
    stored: 0,
  },
  { to: 'drop@x.test', expected: { outcome: 'unknown' }, stored: 1 },
  { to: 'slow@x.test', expected: { outcome: 'accepted' }, stored: 1 },
])('plays $to as $expected.outcome', async ({ to, expected, stored }) => {
  const { kept, send } = await sandbox()
  expect(await send(to)).toMatchObject(expected)
  expect(kept).toHaveLength(stored)
})

test('greylists a pair once', async () => {
  const { kept, send } = await sandbox()
  expect(await send('greylist@x.test')).toMatchObject({ outcome: 'refused_for_now', code: 451 })
  expect(await send('greylist@x.test')).toMatchObject({ outcome: 'accepted' })
  expect(await send('greylist+2@x.test')).toMatchObject({ outcome: 'refused_for_now' })
  expect(kept).toHaveLength(1)
})

test('a mail it could not keep was not taken, and says so', async () => {
  const { errors, send } = await sandbox(() => Promise.reject(new Error('disk full')))
  expect(await send('grace@lead.test')).toMatchObject({ outcome: 'refused_for_now', code: 451 })
  expect(errors).toEqual(['disk full'])
})

test('ordinary names are not plays', () => {
  for (const name of ['bouncer@x', 'slowe.joe@x', 'constructor@x', 'a.bounce@x', '@x', ''])
    expect(findPlay(name)).toBeNull()
})
