import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, leadTo, logOf } from '#tests/support/scenes/begun'
import { aMailbox } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

const DAY = 24 * 60

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const replyHead = (mail: OutgoingMail) =>
  `Subject: Re: ${mail.subject}\nIn-Reply-To: ${mail.message_id}\nMessage-ID: <${crypto.randomUUID()}@lead.test>\n\nYes.\n`

describe('evidence', () => {
  test.each([
    { name: 'a reply', raw: (mail: OutgoingMail) => replyTo(mail), status: 'replied' },
    {
      name: 'an automatic reply',
      raw: (mail: OutgoingMail) => replyTo(mail, 'Away', 'Auto-Submitted: auto-replied'),
      status: 'active',
    },
    { name: 'a bounce', raw: (mail: OutgoingMail) => bounceOf(mail, '5.1.1'), status: 'bounced' },
    {
      name: 'our own copy',
      raw: (mail: OutgoingMail) =>
        `From: <${mail.from.address}>\nMessage-ID: ${mail.message_id}\nSubject: x\n\nx`,
      status: 'active',
    },
  ])('of $name settles what was uncertain', async ({ raw, status }) => {
    const { mailbox, campaign_id } = await launched({}, 1)
    const unknown = memoryMail(() => ({ outcome: 'unknown', error: 'connection lost' }))
    const { outbox } = await dispatchAt(MONDAY, unknown)
    expect(await campaignOf(campaign_id)).toMatchObject({ uncertain_count: 1, sent_count: 0 })
    await arrive(mailbox, raw(outbox[0] as OutgoingMail), later)
    expect(await campaignOf(campaign_id)).toMatchObject({ uncertain_count: 0, sent_count: 1 })
    expect(await leadTo(outbox[0] as OutgoingMail)).toMatchObject({ status })
    expect(await logOf((await leadTo(outbox[0] as OutgoingMail)).campaign_lead_id)).toContain('resolved_sent')
  })

  test('of an address alone settles nothing', async () => {
    const { mailbox, campaign_id } = await launched({}, 1)
    const { outbox } = await dispatchAt(
      MONDAY,
      memoryMail(() => ({ outcome: 'unknown', error: 'lost' })),
    )
    await arrive(mailbox, eml(`From: <${outbox[0]?.to.address}>\nMessage-ID: <s@lead.test>`), later)
    expect(await campaignOf(campaign_id)).toMatchObject({ uncertain_count: 1 })
  })
})

describe('what is kept', () => {
  test('of private mail, nothing but the fact', async () => {
    const { mailbox, in: arrives } = await begun({}, 1)
    await arrives(
      eml('From: friend@private.test\nSubject: Secret\nMessage-ID: <p@private.test>', 'Between us'),
    )
    const row = await db.inboundMessage.findFirstOrThrow({ where: { mailbox_id: mailbox.mailbox_id } })
    expect(row).toMatchObject({ kind: 'unrelated', raw: null, subject: null, from_address: null, detail: {} })
    expect(await db.inboxMessage.count({ where: { mailbox_id: mailbox.mailbox_id } })).toBe(0)
  })

  test('of a conversation, every mail once, whichever mailbox it came to', async () => {
    const { mail, mailbox, owner, in: arrives } = await begun({}, 1)
    const second = await aMailbox(owner)
    const raw = replyTo(mail, 'Yes.')
    await arrives(raw)
    await arrive(second, raw, later)
    await arrives(
      `From: <${mailbox.address}>\nTo: <${mail.to.address}>\nIn-Reply-To: <x@y>\nReferences: ${mail.message_id}\nMessage-ID: <hand@sender.test>\nSubject: Re: Hello\n\nFriday?`,
      minutes(40),
    )
    await arrives(
      `From: <${mail.to.address}>\nIn-Reply-To: <hand@sender.test>\nMessage-ID: <again@lead.test>\nSubject: Re: Hello\n\nFriday.`,
      minutes(50),
    )
    const thread = await db.thread.findFirstOrThrow({
      where: { workspace_id: owner.workspace_id },
      include: { messages: { orderBy: { at: 'asc' } } },
    })
    expect(thread.messages.map(({ direction, text }) => [direction, text.trim()])).toEqual([
      ['in', 'Yes.'],
      ['out', 'Friday?'],
      ['in', 'Friday.'],
    ])
    expect(thread).toMatchObject({
      message_count: 3,
      unread: true,
      status: 'open',
      preview: 'Friday.',
      last_direction: 'in',
      counterpart_address: mail.to.address,
    })
  })

  test('of a conversation, who answers are for: the lead, and whoever wrote last, never a program', async () => {
    const { mail, owner, in: arrives } = await begun({}, 1)
    const whom = async () => {
      const thread = await db.thread.findFirstOrThrow({ where: { workspace_id: owner.workspace_id } })
      return [thread.counterpart_address, thread.counterpart_name]
    }
    await arrives(
      `From: Out Of Office <noreply@robots.test>\nAuto-Submitted: auto-replied\n${replyHead(mail)}`,
    )
    expect(await whom()).toEqual([mail.to.address, 'Lead0'])
    await arrives(`From: Grace <${mail.to.address}>\n${replyHead(mail)}`, minutes(60))
    expect(await whom()).toEqual([mail.to.address, 'Grace'])
    await arrives(`From: Jean <jean@elsewhere.test>\n${replyHead(mail)}`, minutes(90))
    expect(await whom()).toEqual(['jean@elsewhere.test', 'Jean'])
    await arrives(`From: Grace <${mail.to.address}>\n${replyHead(mail)}`, minutes(70))
    expect(await whom()).toEqual(['jean@elsewhere.test', 'Jean'])
  })

  test('an answer opens a conversation that was done or snoozed', async () => {
    const { mail, owner, in: arrives } = await begun({}, 1)
    await arrives(replyTo(mail))
    await db.thread.updateMany({
      where: { workspace_id: owner.workspace_id },
      data: { status: 'done', unread: false, snoozed_until: minutes(DAY) },
    })
    await arrives(replyTo(mail, 'Are you there?'), minutes(60))
    expect(await db.thread.findFirst({ where: { workspace_id: owner.workspace_id } })).toMatchObject({
      status: 'open',
      unread: true,
      snoozed_until: null,
    })
  })
})
