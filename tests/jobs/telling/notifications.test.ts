import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { digestOf } from '#lib/domain/telling/notification-digest'
import { composeMail } from '#lib/providers/mail/compose'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import type { MessagingOutcome, ShortMessage } from '#lib/providers/messaging/port'
import { sandboxMessaging } from '#lib/providers/messaging/sandbox'
import { createWebhookMessaging, type MessagingKind } from '#lib/providers/messaging/webhook'
import { failLaunch } from '#lib/services/launch/enrolment'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { gatherDigests } from '#lib/services/telling/gather-notifications'
import type { Channels } from '#lib/services/telling/notification-channels'
import { updatePreferences } from '#lib/services/telling/notification-preferences'
import { sendMessages } from '#lib/services/telling/send-notification'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aUser } from '#tests/support/scenes/factories'
import { refuseSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { receiver } from '#tests/support/servers/receiver'

const APP = 'https://opener.example'
const MINUTE = 60_000
const start = Date.now()
/** Well after whatever the test wrote. */
const later = (count: number) => new Date(start + (60 + count) * MINUTE)

type User = { user_id: string; email: string }

afterEach(async () => {
  await db.campaign.deleteMany()
  await db.notification.deleteMany()
  await db.notificationMessage.deleteMany()
})

const connection = { host: 'mail', port: 25, security: 'none', username: null, password: null } as const

/** An instance with mail and messages, both kept. */
function instance(
  answers: {
    mail?: (mail: OutgoingMail) => MailOutcome | Promise<MailOutcome>
    message?: MessagingOutcome
  } = {},
) {
  const mail = memoryMail(answers.mail)
  const messages: ShortMessage[] = []
  const channels: Channels = {
    email: {
      provider: mail.provider,
      connection,
      from: { name: 'Opener', address: 'notifications@opener.example' },
      is_sandbox: false,
    },
    messaging: {
      provider: {
        send: async (message) => {
          messages.push(message)
          return answers.message ?? { outcome: 'accepted', response: '200' }
        },
      },
      is_sandbox: false,
    },
  }
  const gather = (at: Date) => gatherDigests(pool(), APP, channels, at)
  const send = (at: Date) => sendMessages({ pool: pool(), channels, clock: () => at, until: later(99_999) })
  return {
    outbox: mail.outbox,
    messages,
    gather,
    send,
    notify: async (at: Date) => {
      await gather(at)
      return send(at)
    },
  }
}

const told = (owner: User, kind = 'reply', email = 'ada@acme.example') =>
  db.notification.create({ data: { user_id: owner.user_id, kind, data: { email } } })
const messagesOf = (owner: User) =>
  db.notificationMessage.findMany({ where: { user_id: owner.user_id }, orderBy: { created_at: 'asc' } })
const kindsOf = async (owner: User) =>
  (await db.notification.findMany({ where: { user_id: owner.user_id } })).map(({ kind }) => kind).toSorted()

describe('what is told of', () => {
  test('replies, bounces of either kind, complaints and what stops a campaign, each once and with its fact', async () => {
    const refused: MailOutcome = {
      outcome: 'refused_for_good',
      stage: 'rcpt',
      code: 550,
      enhanced: '5.1.1',
      response: '550 5.1.1 no such user',
      blames: 'recipient',
    }
    const made = await launched({}, 4)
    let sent = 0
    const { outbox } = await dispatchAt(
      MONDAY,
      memoryMail(() => {
        sent += 1
        return sent === 4 ? refused : ACCEPTED
      }),
    )
    const [one, two, three] = outbox
    if (!one || !two || !three) throw new Error('mails should have left')
    await arrive(made.mailbox, replyTo(one), minutes(30))
    await arrive(made.mailbox, replyTo(one, 'Again'), minutes(31))
    await arrive(made.mailbox, bounceOf(two, '5.1.1'), minutes(30))
    await arrive(made.mailbox, complaintOf(three), minutes(30))
    expect(await kindsOf(made.owner)).toEqual(['bounce', 'bounce', 'complaint', 'reply'])
  })

  test('a pause by the product and not one by its owner, a mailbox lost, a launch that failed', async () => {
    const made = await launched()
    await pauseCampaign(made.owner.user_id, made.campaign_id, MONDAY)
    expect(await kindsOf(made.owner)).toEqual([])
    const other = await launched()
    await refuseSignIn(other.owner.user_id, other.mailbox.mailbox_id, MONDAY)
    await refuseSignIn(other.owner.user_id, other.mailbox.mailbox_id, MONDAY)
    expect(await kindsOf(other.owner)).toEqual(['mailbox_failing'])
    const { campaign_id } = await aCampaign(made.owner)
    await db.campaign.update({ where: { campaign_id }, data: { status: 'launching' } })
    await failLaunch(campaign_id, 'No mailbox is connected.')
    expect(await kindsOf(made.owner)).toEqual(['launch_failed'])
  })
})

describe('a digest', () => {
  test('comes after a minute, then at most every 15 minutes, and names nothing twice', async () => {
    const owner = await aUser()
    const { outbox, notify } = instance()
    const { created_at } = await told(owner)
    expect(await notify(new Date(created_at.getTime() + MINUTE - 1))).toBe(0)
    expect(await notify(new Date(created_at.getTime() + MINUTE))).toBe(1)
    const first = new Date(created_at.getTime() + MINUTE)
    await told(owner, 'bounce')
    expect(await notify(new Date(first.getTime() + 15 * MINUTE - 1))).toBe(0)
    expect(await notify(new Date(first.getTime() + 15 * MINUTE))).toBe(1)
    expect(await notify(later(600))).toBe(0)
    expect(outbox.map(({ subject }) => subject)).toEqual([
      '1 reply (ada@acme.example)',
      '1 bounce (ada@acme.example)',
    ])
    expect(outbox[0]?.to.address).toBe(owner.email)
  })

  test('of ten thousand bounces is one short mail', async () => {
    const owner = await aUser()
    const data = Array.from({ length: 10_000 }, (_, index) => ({
      user_id: owner.user_id,
      kind: 'bounce',
      data: { email: `lead-${index}@example.com` },
    }))
    await db.notification.createMany({ data })
    const { outbox, notify } = instance()
    expect(await notify(later(0))).toBe(1)
    expect(await notify(later(1))).toBe(0)
    expect(outbox).toHaveLength(1)
    expect(outbox[0]?.subject).toMatch(/^10,000 bounces \(.*and 9,997 more\)$/)
    expect(outbox[0]?.text.length).toBeLessThan(1_000)
    expect(await db.notification.count({ where: { user_id: owner.user_id, gathered_at: null } })).toBe(0)
  })

  test('is one although several workers gather at once', async () => {
    const owner = await aUser()
    await told(owner)
    const { gather } = instance()
    const queued = await Promise.all([gather(later(0)), gather(later(0)), gather(later(0))])
    expect(queued.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await messagesOf(owner)).toHaveLength(1)
  })

  test('leaves out what its owner does not want, but never what stops something', async () => {
    const owner = await aUser()
    await updatePreferences(owner.user_id, {
      notify_on_reply: false,
      notify_on_bounce: false,
      notify_on_complaint: false,
    })
    const { outbox, notify } = instance()
    for (const kind of ['reply', 'bounce', 'complaint']) await told(owner, kind)
    expect(await notify(later(0))).toBe(0)
    await db.notification.create({
      data: { user_id: owner.user_id, kind: 'mailbox_disconnected', data: { address: 'me@acme.example' } },
    })
    expect(await notify(later(1))).toBe(1)
    expect(outbox[0]?.text).toContain('me@acme.example was disconnected')
    expect(outbox[0]?.text).not.toMatch(/repl(y|ies)|bounce/)
  })

  test('goes where its owner said, on the channels that are switched on', async () => {
    const owner = await aUser()
    const { outbox, messages, notify } = instance()
    await updatePreferences(owner.user_id, {
      personal_email: 'home@example.com',
      messaging_enabled: true,
      messaging_number: '+491701234567',
    })
    await told(owner)
    expect(await notify(later(0))).toBe(2)
    expect([outbox[0]?.to.address, messages[0]?.to]).toEqual(['home@example.com', '+491701234567'])
    await updatePreferences(owner.user_id, { email_enabled: false, messaging_enabled: false })
    await told(owner)
    expect(await notify(later(60))).toBe(0)
  })

  test('names what stops something first, and lets no name break a header or a line', () => {
    const line = { emails: [], campaign_id: null, mailbox_id: null, reason: null }
    const { subject, text } = digestOf(
      [
        { ...line, kind: 'bounce', count: 9, name: 'Q4' },
        { ...line, kind: 'campaign_paused', count: 1, name: 'Q4\r\nBcc: x@y.example', reason: 'bounce_rate' },
      ],
      APP,
    )
    expect(subject).toBe('1 campaign paused, 9 bounces')
    expect(text.indexOf('paused')).toBeLessThan(text.indexOf('bounces'))
    expect(text).toContain('“Q4 Bcc: x@y.example” paused: too many addresses bounced.')
  })

  test('cuts no subject within a word', () => {
    const line = { emails: [], campaign_id: null, mailbox_id: null, reason: null, count: 1, name: 'Q4' }
    const kinds = ['campaign_paused', 'launch_failed', 'mailbox_disconnected', 'account_disconnected']
    const many = [...kinds, 'post_failed', 'webhook_disabled', 'complaint'].map((kind) => ({ ...line, kind }))
    expect(digestOf(many, APP).subject).toBe(
      '1 campaign paused, 1 launch failed, 1 mailbox disconnected, 1 account disconnected, 1 post not published and more',
    )
    const long = { ...line, kind: 'campaign_paused', name: 'heads of operations '.repeat(9).trim() }
    const { subject } = digestOf([long], APP)
    expect(subject).toMatch(/(heads|of|operations) …$/)
    expect(subject.length).toBeLessThanOrEqual(120)
  })
})

describe('a message', () => {
  async function aMessage(answers?: Parameters<typeof instance>[0]) {
    const owner = await aUser()
    await told(owner)
    return { owner, ...instance(answers) }
  }

  test('says that a program wrote it, and is no mail of a campaign', async () => {
    const { outbox, notify } = await aMessage()
    await notify(later(0))
    const [mail] = outbox
    if (!mail) throw new Error('no mail')
    const raw = composeMail(mail).toString()
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).toMatch(/^Message-ID:\s+<notification\.[0-9a-f-]{36}@opener\.example>\r$/m)
    expect(raw).not.toMatch(/List-Unsubscribe/i)
  })

  test('that comes into a mailbox of its owner is neither reply nor bounce', async () => {
    const made = await launched()
    const [first] = (await dispatchAt(MONDAY)).outbox
    if (!first) throw new Error('nothing left')
    await arrive(made.mailbox, replyTo(first), minutes(30))
    const before = await db.campaignLead.findMany({ orderBy: { lead_index: 'asc' } })
    const { outbox, notify } = instance()
    await notify(later(0))
    const [mail] = outbox
    if (!mail) throw new Error('no mail')
    const raw = composeMail(mail).toString()
    const handled = await arrive(made.mailbox, raw, minutes(40))
    expect(handled).toMatchObject({ kind: 'unrelated', campaign_lead_id: null })
    expect(await db.campaignLead.findMany({ orderBy: { lead_index: 'asc' } })).toEqual(before)
  })

  test('under way when its worker died is uncertain, and never sent again', async () => {
    const dying = async () => {
      throw new Error('killed')
    }
    const { owner, outbox, gather, send } = await aMessage({ mail: dying })
    await gather(later(0))
    await expect(send(later(0))).rejects.toThrow('killed')
    expect(await messagesOf(owner)).toMatchObject([{ status: 'sending', attempts: 1 }])
    for (const minute of [1, 11, 600]) await send(later(minute))
    expect(await messagesOf(owner)).toMatchObject([{ status: 'uncertain', attempts: 1 }])
    expect(outbox).toHaveLength(1)
  })

  test('of which nobody knows whether it was taken is not sent again', async () => {
    const { owner, outbox, notify } = await aMessage({ mail: () => ({ outcome: 'unknown', error: 'lost' }) })
    for (const minute of [0, 5, 600]) await notify(later(minute))
    expect(await messagesOf(owner)).toMatchObject([{ status: 'uncertain', response: 'lost' }])
    expect(outbox).toHaveLength(1)
  })

  test('that did not leave is tried again, and some time given up', async () => {
    const never: MailOutcome = { outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' }
    const { owner, outbox, gather, send } = await aMessage({ mail: () => never })
    await gather(later(0))
    const offered: number[] = []
    for (let minute = 0; minute < 400; minute += 1) if (await send(later(minute))) offered.push(minute)
    expect(offered).toEqual([0, 1, 6, 21, 81, 321])
    expect(await messagesOf(owner)).toMatchObject([{ status: 'failed', attempts: 6 }])
    expect(outbox).toHaveLength(6)
  })

  test('is offered by one of two workers', async () => {
    const { owner, outbox, gather, send } = await aMessage()
    await gather(later(0))
    await Promise.all([send(later(0)), send(later(0))])
    expect(outbox).toHaveLength(1)
    expect(await messagesOf(owner)).toMatchObject([{ status: 'sent', sent_at: later(0) }])
  })

  test('waits where the instance has no such channel, and is not made there', async () => {
    const owner = await aUser()
    await told(owner)
    const none: Channels = { email: null, messaging: null }
    expect(await gatherDigests(pool(), APP, none, later(0))).toBe(0)
    expect(await messagesOf(owner)).toEqual([])
  })
})

describe('a gateway for short messages', () => {
  const message = { id: 'm1', to: '+491701234567', text: 'Hello' }
  const policy = { allow_private_hosts: true }

  test.each([
    ['plain', { id: 'm1', to: message.to, text: 'Hello' }],
    ['telegram', { chat_id: message.to, text: 'Hello' }],
    ['whatsapp', { messaging_product: 'whatsapp', to: message.to, type: 'text', text: { body: 'Hello' } }],
  ] satisfies [MessagingKind, object][])('of kind %s gets its form and the token', async (kind, body) => {
    const gateway = await receiver()
    const driver = createWebhookMessaging({ url: gateway.url, kind, token: 't0ken', policy })
    expect(await driver.send(message)).toMatchObject({ outcome: 'accepted' })
    await gateway.close()
    expect(gateway.received[0]?.headers.authorization).toBe('Bearer t0ken')
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual(body)
  })

  test.each([
    [400, 'refused_for_good'],
    [429, 'refused_for_now'],
    [503, 'refused_for_now'],
    [500, 'unknown'],
  ] as const)('that answers %i means %s', async (status, outcome) => {
    const gateway = await receiver((_, response) => void response.writeHead(status).end())
    const driver = createWebhookMessaging({ url: gateway.url, kind: 'plain', token: null, policy })
    expect(await driver.send(message)).toMatchObject({ outcome })
    await gateway.close()
  })

  test('that breaks the connection may have taken it; one that does not listen, or must not be reached, has not', async () => {
    const gateway = await receiver((_, response) => void response.socket?.destroy())
    const driver = createWebhookMessaging({ url: gateway.url, kind: 'plain', token: null, policy })
    expect(await driver.send(message)).toMatchObject({ outcome: 'unknown' })
    await gateway.close()
    expect(await driver.send(message)).toMatchObject({ outcome: 'never_left' })
    const inside = {
      url: gateway.url,
      kind: 'plain',
      token: null,
      policy: { allow_private_hosts: false },
    } as const
    expect(await createWebhookMessaging(inside).send(message)).toMatchObject({ outcome: 'never_left' })
  })

  test('of the sandbox says that it is one', async () => {
    expect((await sandboxMessaging.send(message)).response).toContain('Sandbox')
  })
})
