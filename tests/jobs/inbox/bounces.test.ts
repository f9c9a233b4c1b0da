import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { CreateDomain, UpdateDomain, VerifyDomain } from '#lib/contracts/domains/domains'
import { db, pool } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { bounceAddress } from '#lib/domain/tokens/bounce-token'
import { createBounceServer } from '#lib/providers/mail/bounce-smtp'
import { deliverRaw } from '#lib/providers/mail/deliver'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { type BounceTarget, bounceTarget, takeBounce } from '#lib/services/inbox/bounce-mail'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { createDnsServer } from '#tests/support/servers/dns'
import { createSmtpSink } from '#tests/support/servers/smtp'

const dns = await createDnsServer()
// Set before any module reads the environment.
Object.assign(process.env, { DNS_SERVERS: dns.server, BOUNCE_HOST: 'mx.opener.example' })
afterAll(() => dns.close())

const errors: Error[] = []
const server = createBounceServer<BounceTarget>({
  target: (address) => bounceTarget(pool(), address),
  take: async (targets, raw) => {
    for (const target of targets) await takeBounce(pool(), target, raw, minutes(30))
  },
  onError: (error) => errors.push(error),
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
afterEach(async () => {
  await db.campaign.deleteMany()
})

const HOST = 'bounce.example.com'
const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n')
const deliver = (to: string, raw: string) => deliverRaw(port, { from: '', to }, crlf(raw))

async function begun() {
  const scene = await launched({}, 2)
  const { outbox } = await dispatchAt(MONDAY)
  const [mail, other] = outbox
  if (!mail || !other) throw new Error('two mails left')
  const leadTo = ({ to }: OutgoingMail) => db.campaignLead.findFirstOrThrow({ where: { email: to.address } })
  const action = await db.action.findFirstOrThrow({ where: { message_id: mail.message_id } })
  const address = bounceAddress(action.action_id, HOST, keyFor('bounce')) ?? ''
  return { ...scene, mail, other, leadTo, action, address }
}

describe('mail to a bounce address', () => {
  test('a report ends the lead of the message that the address is signed for, whatever it quotes', async () => {
    const { mail, other, leadTo, address, campaign_id } = await begun()
    // The report names another address, as after forwarding, and no message of ours.
    const report = bounceOf({ ...mail, message_id: '<gone@elsewhere.test>' }, '5.1.1').replaceAll(
      mail.to.address,
      'forwarded@elsewhere.test',
    )
    expect(await deliver(address, report)).toMatchObject({ outcome: 'accepted' })
    expect(await leadTo(mail)).toMatchObject({ status: 'bounced' })
    expect(await leadTo(other)).toMatchObject({ status: 'active' })
    const [kept] = await db.inboundMessage.findMany({ where: { campaign_id } })
    expect(kept).toMatchObject({ kind: 'hard_bounce', folder: 'bounce address' })
    expect(JSON.stringify(kept?.evidence)).toContain('matched_by_return_path')
    // Delivering the report a second time changes nothing.
    expect(await deliver(address, report)).toMatchObject({ outcome: 'accepted' })
    expect(await db.inboundMessage.count({ where: { campaign_id } })).toBe(1)
  })

  test('one that says that the mailbox has used up its limit bounces nobody: the step leaves a day later', async () => {
    const { mail, leadTo, address } = await begun()
    const said = 'smtp; 550 5.4.5 Daily user sending limit exceeded'
    expect(await deliver(address, bounceOf(mail, '5.4.5', said))).toMatchObject({ outcome: 'accepted' })
    const lead = await leadTo(mail)
    expect(lead).toMatchObject({ status: 'active', next_step: 1, next_action_at: minutes(30 + 24 * 60) })
    expect(await db.suppression.count({ where: { value: mail.to.address } })).toBe(0)
  })

  test('in any case of its letters, as servers on the way may write it', async () => {
    const { mail, leadTo, address } = await begun()
    expect(await deliver(address.toUpperCase(), bounceOf(mail, '5.1.1'))).toMatchObject({
      outcome: 'accepted',
    })
    expect(await leadTo(mail)).toMatchObject({ status: 'bounced' })
  })

  test('it settles what was uncertain: the report shows that the message left', async () => {
    const { mail, leadTo, action, address } = await begun()
    await db.action.update({
      where: { action_id: action.action_id },
      data: { status: 'uncertain', outcome: 'unknown' },
    })
    await deliver(address, bounceOf(mail, '5.1.1'))
    expect(await db.action.findUnique({ where: { action_id: action.action_id } })).toMatchObject({
      status: 'sent',
    })
    expect(await leadTo(mail)).toMatchObject({ status: 'bounced' })
  })

  test('a message that somebody writes there is nobody’s answer', async () => {
    const { mail, leadTo, address } = await begun()
    expect(await deliver(address, replyTo(mail))).toMatchObject({ outcome: 'accepted' })
    expect(await deliver(address, eml('Subject: Buy now\nMessage-ID: <spam@x.test>'))).toMatchObject({
      outcome: 'accepted',
    })
    expect(await leadTo(mail)).toMatchObject({ status: 'active', reason: null })
  })

  test('every other address is refused before the mail: made up, altered, signed by another key, or of no message', async () => {
    const { mail, address } = await begun()
    const [local = ''] = address.split('@')
    const altered = `${local.slice(0, -1)}${local.endsWith('a') ? 'b' : 'a'}@${HOST}`
    const foreign = bounceAddress(crypto.randomUUID(), HOST, Buffer.alloc(32, 9)) ?? ''
    const unknown = bounceAddress(crypto.randomUUID(), HOST, keyFor('bounce')) ?? ''
    for (const to of ['someone@example.com', `bounce+@${HOST}`, altered, foreign, unknown])
      expect(await deliver(to, bounceOf(mail, '5.1.1'))).toMatchObject({
        outcome: 'refused_for_good',
        stage: 'rcpt',
        code: 550,
      })
    expect(errors).toEqual([])
  })

  test('what is too large is refused, whole or announced', async () => {
    const { mail, leadTo, address } = await begun()
    const large = crlf(bounceOf(mail, '5.1.1').padEnd(2_200_000, 'one more line\n'))
    expect(await deliver(address, large)).toMatchObject({ outcome: 'refused_for_good' })
    // A client that does not announce the message size.
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk
    })
    const until = (code: RegExp) => vi.waitUntil(() => code.test(said), { timeout: 60_000 })
    await until(/^220 .*\r\n/m)
    socket.write(`HELO mx.test\r\nMAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n`)
    await until(/^354 /m)
    socket.write(`${large}\r\n.\r\nQUIT\r\n`)
    await until(/^552 .*\r\n/m)
    socket.destroy()
    expect(await leadTo(mail)).toMatchObject({ status: 'active' })
  })
})

test('where the domain has a bounce address, each message has its own; elsewhere the mailbox’s own', async () => {
  const sink = await createSmtpSink()
  const mail = createSmtpProvider({ policy: { allow_private_hosts: true } })
  try {
    const { owner, mailbox } = await launched({}, 2)
    const smtp = { host: '127.0.0.1', port: sink.port, security: 'none', username: null }
    await db.mailbox.update({
      where: { mailbox_id: mailbox.mailbox_id },
      data: { address: 'ada@own-bounces.example.com', smtp },
    })
    const { body: domain } = await call(CreateDomain, {
      as: owner,
      body: { domain: 'own-bounces.example.com' },
    })
    await call(UpdateDomain, { as: owner, params: domain, body: { bounce_address: true } })
    await db.campaign.updateMany({ data: { daily_limit: 1 } })
    await dispatchDue({ mail, clock: () => MONDAY })
    dns.zone['bounce.own-bounces.example.com'] = {
      MX: [[10, 'mx.opener.example']],
      TXT: ['v=spf1 redirect=own-bounces.example.com'],
    }
    await call(VerifyDomain, { as: owner, params: domain })
    const tomorrow = minutes(24 * 60)
    await db.campaign.updateMany({ data: { daily_limit: 100, next_slot_at: tomorrow } })
    await dispatchDue({ mail, clock: () => tomorrow })
    const [first, ...others] = sink.messages
    expect(first?.from).toBe('ada@own-bounces.example.com')
    expect(others.length).toBeGreaterThan(0)
    for (const { from, raw } of others) {
      const id = /^Message-ID: (<[^>]+>)/im.exec(raw)?.[1] ?? ''
      const target = await bounceTarget(pool(), from)
      expect(from).toContain('@bounce.own-bounces.example.com')
      expect(await db.action.findFirst({ where: { message_id: id } })).toMatchObject({
        action_id: target?.action_id,
      })
      expect(raw).toMatch(/^From: .*ada@own-bounces\.example\.com/m)
    }
  } finally {
    await mail.close()
    await sink.close()
  }
})
