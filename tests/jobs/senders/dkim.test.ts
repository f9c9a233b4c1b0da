import { afterAll, beforeEach, expect, test } from 'vitest'
import { PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { CreateDomain, RotateDomainKey, VerifyDomain } from '#lib/contracts/domains/domains'
import { db } from '#lib/db/client'
import { dkimHost, dkimRecord } from '#lib/domain/domains/dkim-record'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { verifyDkim } from '#tests/support/dkim'
import { aMailbox } from '#tests/support/scenes/factories'
import { launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { asMail } from '#tests/support/scenes/previews'
import { createDnsServer } from '#tests/support/servers/dns'
import { createSmtpSink } from '#tests/support/servers/smtp'

const sink = await createSmtpSink()
const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
process.env.SANDBOX_SMTP_PORT = String(sink.port)
const mail = createSmtpProvider({ policy: { allow_private_hosts: true } })
const resolver = createDnsProvider({ servers: [dns.server] })
afterAll(async () => {
  await mail.close()
  await closeMailProvider()
  await sink.close()
  await dns.close()
})

beforeEach(() => {
  sink.messages.length = 0
})

/** The DNS record as a receiver looks it up. */
const keyRecord = async (name: string) => {
  const answer = await resolver.txt(name)
  return answer.outcome === 'found' ? (answer.records[0] ?? null) : null
}
const verify = (raw: string) => verifyDkim(raw, keyRecord)

let made = 0
/** A running campaign whose only mailbox sends, over the sink, from a domain whose key is published in DNS, or not. */
async function signing({ published = true } = {}) {
  made += 1
  const domain = `signed-${made}.example.com`
  const scene = await launched({}, 2)
  const { owner, mailbox } = scene
  const smtp = { host: '127.0.0.1', port: sink.port, security: 'none', username: null }
  await db.mailbox.update({
    where: { mailbox_id: mailbox.mailbox_id },
    data: { address: `ada@${domain}`, name: 'Ádá “Q”', smtp },
  })
  const { body: added } = await call(CreateDomain, { as: owner, body: { domain } })
  if (published) await publish(added.domain_id)
  await call(VerifyDomain, { as: owner, params: added })
  return { ...scene, domain, added }
}

async function publish(domain_id: string) {
  const keys = await db.domainKey.findMany({ where: { domain_id }, include: { domain: true } })
  for (const { selector, public_key, domain } of keys)
    dns.zone[dkimHost(selector, domain.domain)] = { TXT: [dkimRecord(public_key)] }
}

const send = () => dispatchDue({ mail, clock: () => MONDAY })

test('mail of a domain whose key is found is signed, as a verifier of its own finds from the bytes received', async () => {
  const { domain, added } = await signing()
  await send()
  expect(sink.messages).toHaveLength(2)
  for (const { raw } of sink.messages) {
    const { result, tags } = await verify(raw)
    expect(result).toBe('pass')
    expect(tags).toMatchObject({ d: domain, s: added.dkim_selector, a: 'rsa-sha256', c: 'relaxed/relaxed' })
    const signed = (tags.h ?? '').split(':')
    for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'])
      expect(signed.filter((one) => one === name)).toHaveLength(2)
    for (const name of ['list-unsubscribe', 'list-unsubscribe-post'])
      expect(signed.filter((one) => one === name)).toHaveLength(2)
    // Signed although absent, so that it cannot be added later.
    expect(signed.filter((one) => one === 'cc')).toHaveLength(1)
    const [field = ''] = raw.split(/\r\n(?![ \t])/)
    for (const line of field.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  }
})

test('what leaves under another address is signed for the domain of that address', async () => {
  const { domain, added, mailbox } = await signing()
  const { mailbox_id } = mailbox
  const send_as = `sales@${domain}`
  await db.mailbox.update({
    where: { mailbox_id },
    data: { address: 'ada@elsewhere.example.com', aliases: [send_as], send_as },
  })
  await send()
  expect(sink.messages).toHaveLength(2)
  for (const { raw, from } of sink.messages) {
    const { result, tags } = await verify(raw)
    expect([result, tags.d, tags.s]).toEqual(['pass', domain, added.dkim_selector])
    expect(from).toBe(send_as)
    expect(raw).not.toContain('elsewhere.example.com')
  }
})

test('a follow-up is signed for the domain that its thread began with', async () => {
  const { domain, added, mailbox } = await signing()
  const { mailbox_id } = mailbox
  await send()
  const elsewhere = `ada@elsewhere-${domain}`
  await db.mailbox.update({ where: { mailbox_id }, data: { aliases: [elsewhere], send_as: elsewhere } })
  await dispatchDue({ mail, clock: () => minutes(24 * 60 + 1) })
  const ours = sink.messages.filter(({ from }) => from.endsWith(domain))
  expect(ours).toHaveLength(4)
  for (const { raw, from } of ours) {
    const { result, tags } = await verify(raw)
    expect([result, tags.d, tags.s, from]).toEqual(['pass', domain, added.dkim_selector, `ada@${domain}`])
  }
})

test.each([
  {
    what: 'the text',
    change: (raw: string) => raw.replace('word about', 'word, about'),
    result: 'body hash',
  },
  {
    what: 'the subject',
    change: (raw: string) => raw.replace('Subject: Hello', 'Subject: Hullo'),
    result: 'signature',
  },
  { what: 'a second From', change: (raw: string) => `From: eve@evil.example\r\n${raw}`, result: 'signature' },
  {
    what: 'a Cc where there was none',
    change: (raw: string) => `Cc: eve@evil.example\r\n${raw}`,
    result: 'signature',
  },
  {
    what: 'another place to unsubscribe',
    change: (raw: string) => `List-Unsubscribe: <https://evil.example>\r\n${raw}`,
    result: 'signature',
  },
  {
    what: 'the end, by empty lines',
    change: (raw: string) => `${raw}\r\n\r\n`,
    result: 'pass',
  },
  { what: 'a trace field on top', change: (raw: string) => `Received: by mx\r\n${raw}`, result: 'pass' },
  {
    what: 'a header folded anew',
    change: (raw: string) => raw.replace(/^Subject: (\S+) /m, 'subject:  $1\r\n   '),
    result: 'pass',
  },
])('on the way $what is changed: $result', async ({ change, result }) => {
  await signing()
  await send()
  const { raw = '' } = sink.messages[0] ?? {}
  expect(change(raw)).not.toBe(raw)
  expect((await verify(change(raw))).result).toBe(result)
})

test('what is previewed is what leaves, and only the signature comes on top', async () => {
  const { owner, campaign_id } = await signing()
  await send()
  const [{ raw = '' } = {}] = sink.messages
  const lead = await db.campaignLead.findFirstOrThrow({
    where: { campaign_id, email: sink.messages[0]?.to[0] ?? '' },
  })
  const preview = await call(PreviewStep, {
    as: owner,
    params: { campaign_id },
    body: { step: 1, lead_index: lead.lead_index },
  })
  const unsigned = raw.replace(/^DKIM-Signature: [\s\S]*?\r\n(?![ \t])/, '')
  expect(raw).toMatch(/^DKIM-Signature: /)
  const undated = (text: string) => text.replace(/^Date: .*$/m, 'Date:').trimEnd()
  expect(undated(unsigned)).toBe(undated(asMail(preview.body).raw))
})

test('without its key in DNS mail leaves unsigned, and so does mail of a mailbox whose domain is none of ours', async () => {
  const { owner, added, campaign_id } = await signing({ published: false })
  await send()
  expect((await verify(sink.messages[0]?.raw ?? '')).result).toBe('no signature')
  const other = await aMailbox(owner, { port: sink.port })
  await publish(added.domain_id)
  const test_send = { step: 1, to: 'me@example.net', mailbox_id: other.mailbox_id }
  await call(SendTest, { as: owner, params: { campaign_id }, body: test_send })
  expect((await verify(sink.messages.at(-1)?.raw ?? '')).result).toBe('no signature')
})

test('test messages are signed, and after a rotation with the new key; the old one still verifies what it signed', async () => {
  const { owner, mailbox, campaign_id, added } = await signing()
  const body = { step: 1, to: 'me@example.net', mailbox_id: mailbox.mailbox_id }
  const sent = async () => {
    await call(SendTest, { as: owner, params: { campaign_id }, body })
    return sink.messages.at(-1)?.raw ?? ''
  }
  const first = await sent()
  expect(await verify(first)).toMatchObject({ result: 'pass', tags: { s: added.dkim_selector } })
  const { body: rotated } = await call(RotateDomainKey, { as: owner, params: added })
  expect((await verify(await sent())).tags.s).toBe(added.dkim_selector)
  await publish(added.domain_id)
  await call(VerifyDomain, { as: owner, params: added })
  expect(await verify(await sent())).toMatchObject({
    result: 'pass',
    tags: { s: rotated.dkim_next_selector },
  })
  expect((await verify(first)).result).toBe('pass')
})
