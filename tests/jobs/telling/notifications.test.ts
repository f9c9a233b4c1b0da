import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { composeDigest } from '#lib/domain/telling/notification-digest'
import type { MailOutcome } from '#lib/providers/mail/port'
import { failLaunch } from '#lib/services/launch/enrolment'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { updatePreferences } from '#lib/services/telling/notification-preferences'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aUser } from '#tests/support/scenes/factories'
import { refuseSignIn } from '#tests/support/scenes/failing'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { APP, instance, later, messagesOf, told, type User } from '#tests/support/scenes/notifications'

const MINUTE = 60_000

afterEach(async () => {
  await db.campaign.deleteMany()
  await db.notification.deleteMany()
  await db.notificationMessage.deleteMany()
})

const kindsOf = async (owner: User) =>
  (await db.notification.findMany({ where: { workspace_id: owner.workspace_id } }))
    .map(({ kind }) => kind)
    .toSorted()

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
    await pauseCampaign(made.owner.workspace_id, made.campaign_id, MONDAY)
    expect(await kindsOf(made.owner)).toEqual([])
    const other = await launched()
    await refuseSignIn(other.owner.workspace_id, other.mailbox.mailbox_id, MONDAY)
    await refuseSignIn(other.owner.workspace_id, other.mailbox.mailbox_id, MONDAY)
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
      workspace_id: owner.workspace_id,
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
    expect(
      await db.notification.count({ where: { workspace_id: owner.workspace_id, gathered_at: null } }),
    ).toBe(0)
  })

  test('names each account that is lost, and each provider that a mailbox no longer writes to', async () => {
    const owner = await aUser()
    const { outbox, notify } = instance()
    const { workspace_id } = owner
    const lost = (name: string) => ({
      workspace_id,
      kind: 'account_disconnected',
      data: { name, address: name, reason: `${name} signed out`, account_id: randomUUID() },
    })
    const mailbox_id = randomUUID()
    const paused = (reason: string) => ({
      workspace_id,
      kind: 'provider_paused',
      mailbox_id,
      data: { address: 'me@acme.example', reason },
    })
    const data = [
      lost('Ada'),
      lost('Ben'),
      paused('Gmail, where 8 % bounced'),
      paused('Yahoo, where 9 % bounced'),
    ]
    await db.notification.createMany({ data })
    await notify(later(0))
    expect(outbox[0]?.subject).toBe('2 accounts disconnected, 2 providers that mailboxes have paused')
    for (const said of [
      'The account Ada was disconnected: Ada signed out.',
      'The account Ben was disconnected: Ben signed out.',
      'me@acme.example has paused sending to Gmail',
      'me@acme.example has paused sending to Yahoo',
    ])
      expect(outbox[0]?.text).toContain(said)
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
    await updatePreferences(owner, {
      notify_on_reply: false,
      notify_on_bounce: false,
      notify_on_complaint: false,
    })
    const { outbox, notify } = instance()
    for (const kind of ['reply', 'bounce', 'complaint']) await told(owner, kind)
    expect(await notify(later(0))).toBe(0)
    await db.notification.create({
      data: {
        workspace_id: owner.workspace_id,
        kind: 'mailbox_disconnected',
        data: { address: 'me@acme.example' },
      },
    })
    expect(await notify(later(1))).toBe(1)
    expect(outbox[0]?.text).toContain('me@acme.example was disconnected')
    expect(outbox[0]?.text).not.toMatch(/repl(y|ies)|bounce/)
  })

  test('goes where its owner said, on the channels that are switched on', async () => {
    const owner = await aUser()
    const { outbox, messages, notify } = instance()
    await updatePreferences(owner, {
      personal_email: 'home@example.com',
      messaging_enabled: true,
      messaging_number: '+491701234567',
    })
    await told(owner)
    expect(await notify(later(0))).toBe(2)
    expect([outbox[0]?.to.address, messages[0]?.to]).toEqual(['home@example.com', '+491701234567'])
    await updatePreferences(owner, { email_enabled: false, messaging_enabled: false })
    await told(owner)
    expect(await notify(later(60))).toBe(0)
  })

  test('names what stops something first, and lets no name break a header or a line', () => {
    const line = { emails: [], campaign_id: null, mailbox_id: null, reason: null }
    const { subject, text } = composeDigest(
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
    expect(composeDigest(many, APP).subject).toBe(
      '1 campaign paused, 1 launch failed, 1 mailbox disconnected, 1 account disconnected, 1 post not published and more',
    )
    const long = { ...line, kind: 'campaign_paused', name: 'heads of operations '.repeat(9).trim() }
    const { subject } = composeDigest([long], APP)
    expect(subject).toMatch(/(heads|of|operations) …$/)
    expect(subject.length).toBeLessThanOrEqual(120)
  })
})
