import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { aDataset, aMailbox } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

const DAY = 24 * 60
const later = minutes(30)

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const leadsOf = (campaign_id: string) =>
  db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
const leadTo = (mail: OutgoingMail) => db.campaignLead.findFirstOrThrow({ where: { email: mail.to.address } })
const campaignOf = (campaign_id: string) => db.campaign.findUniqueOrThrow({ where: { campaign_id } })
const logOf = async (campaign_lead_id: string) =>
  (await db.campaignEvent.findMany({ where: { campaign_lead_id }, orderBy: { event_id: 'asc' } })).map(
    ({ kind }) => kind,
  )
const suppressionsOf = ({ user_id }: { user_id: string }) =>
  db.suppression.findMany({ where: { user_id }, select: { value: true, reason: true } })

const replyHead = (mail: OutgoingMail) =>
  `Subject: Re: ${mail.subject}\nIn-Reply-To: ${mail.message_id}\nMessage-ID: <${crypto.randomUUID()}@lead.test>\n\nYes.\n`

/** A campaign of two steps whose first has left to every lead. */
async function begun(fields: Record<string, unknown> = {}, leads = 2) {
  const made = await launched(fields, leads)
  const { outbox } = await dispatchAt(MONDAY)
  const [mail] = outbox
  if (!mail) throw new Error('nothing left')
  return { ...made, mail, outbox, in: (raw: string, at = later) => arrive(made.mailbox, raw, at) }
}

describe('a reply', () => {
  test('ends its lead before the next step, and only its lead', async () => {
    const { mail, campaign_id, in: arrives } = await begun()
    const handled = await arrives(replyTo(mail))
    expect(handled).toMatchObject({ kind: 'reply', campaign_id })
    expect(await leadTo(mail)).toMatchObject({ status: 'replied', next_step: null, next_action_at: null })
    expect((await dispatchAt(minutes(DAY))).outbox.map(({ to }) => to.address)).not.toContain(mail.to.address)
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'completed',
      replied_count: 1,
      sent_count: 3,
    })
    expect(await logOf((await leadTo(mail)).campaign_lead_id)).toEqual(['replied'])
  })

  test('from another address, or without its thread, is found all the same', async () => {
    const { outbox, in: arrives } = await begun()
    const [one, two] = outbox
    if (!one || !two) throw new Error('two mails left')
    await arrives(replyTo(one).replace(`From: <${one.to.address}>`, 'From: <ada@private.test>'))
    await arrives(
      eml(`From: <${two.to.address.toUpperCase()}>\nSubject: Your note\nMessage-ID: <new@lead.test>`),
    )
    expect([(await leadTo(one)).status, (await leadTo(two)).status]).toEqual(['replied', 'replied'])
    const kept = await db.inboundMessage.findMany({ orderBy: { created_at: 'desc' }, take: 2 })
    expect(kept.map(({ evidence }) => (evidence as { rule: string }[])[0]?.rule).sort()).toEqual([
      'matched_by_message_id',
      'matched_by_sender_address',
    ])
  })

  test.each([199, 299, 499, 997])(
    'whose words are cut within a letter after %i others still ends its lead',
    async (count) => {
      const { mail, in: arrives } = await begun()
      const long = `${'a'.repeat(count)}${'😀'.repeat(600)}`
      const raw = replyTo(mail)
        .replace(/^Subject: .*$/m, `Subject: ${long}`)
        .replace(/\r?\n\r?\n[\s\S]*$/, `\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${long}\r\n`)
        .replace(/^From: .*$/m, `From: "${long}" <${mail.to.address}>`)
      expect(await arrives(raw)).toMatchObject({ kind: 'reply' })
      expect(await leadTo(mail)).toMatchObject({ status: 'replied' })
    },
  )

  test('after the last step still counts as one', async () => {
    const { mail, campaign_id, in: arrives } = await begun({ steps_config: [FIRST] })
    expect(await leadTo(mail)).toMatchObject({ status: 'completed' })
    await arrives(replyTo(mail))
    expect(await leadTo(mail)).toMatchObject({ status: 'replied' })
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'completed',
      replied_count: 1,
      processed_leads: 2,
    })
  })

  test('taken in twice, or under another number, does what it does once', async () => {
    const { mail, mailbox } = await begun()
    const raw = replyTo(mail)
    const at = { uid: 900_001 }
    expect(await arrive(mailbox, raw, later, at)).not.toBeNull()
    expect(await arrive(mailbox, raw, later, at)).toBeNull()
    expect(await arrive(mailbox, raw, later, { uid: 3, uid_validity: 2n })).toBeNull()
    const many = replyTo(mail)
    const answers = await Promise.all([1, 2, 3, 4].map(() => arrive(mailbox, many, later)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await db.inboundMessage.count({ where: { mailbox_id: mailbox.mailbox_id } })).toBe(2)
    expect(await logOf((await leadTo(mail)).campaign_lead_id)).toEqual(['replied'])
  })

  test('of another owner’s lead does nothing here', async () => {
    const one = await begun()
    const other = await begun()
    const handled = await arrive(other.mailbox, replyTo(one.mail), later)
    expect(handled?.kind).toBe('unrelated')
    expect(await leadTo(one.mail)).toMatchObject({ status: 'active' })
  })

  test('names a message that the provider renamed', async () => {
    const made = await launched({}, 1)
    const renamed = '<SN6PR01@x.prod.outlook.com>'
    const { outbox } = await dispatchAt(
      MONDAY,
      memoryMail(() => ({ ...ACCEPTED, server_message_id: renamed }) as MailOutcome),
    )
    const raw = `From: <colleague@else.test>\nIn-Reply-To: ${renamed}\nMessage-ID: <r@x>\n\nYes.`
    expect(await arrive(made.mailbox, raw, later)).toMatchObject({ kind: 'reply' })
    expect(await leadTo(outbox[0] as OutgoingMail)).toMatchObject({ status: 'replied' })
  })

  test.each([
    { stop_on_company_reply: true, statuses: ['replied', 'skipped', 'active'] },
    { stop_on_company_reply: false, statuses: ['replied', 'active', 'active'] },
  ])('and its company: $stop_on_company_reply', async ({ stop_on_company_reply, statuses }) => {
    const owner = await launched({}, 1)
    const rows = ['ada@firm.test', 'bob@firm.test', 'eve@other.test'].map((email) => ({ email }))
    const { dataset_id } = await aDataset(owner.owner, rows)
    await db.campaign.deleteMany()
    const { campaign_id, mailbox } = await launchedOver(owner, dataset_id, { stop_on_company_reply })
    const { outbox } = await dispatchAt(MONDAY)
    const ada = outbox.find(({ to }) => to.address === 'ada@firm.test') as OutgoingMail
    await arrive(mailbox, replyTo(ada), later)
    expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(statuses)
  })
})

async function launchedOver(made: Awaited<ReturnType<typeof launched>>, dataset_id: string, fields: object) {
  const { launchCampaign } = await import('#lib/services/launch/lifecycle')
  const { activateCampaign, enrolLeads } = await import('#lib/services/launch/enrolment')
  const { aCampaign } = await import('#tests/support/scenes/factories')
  const open = {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    daily_limit: 1_000,
  }
  const steps_config = [
    { ...FIRST, subject: 'Hello', message_template: 'A word.' },
    { ...SECOND, message_template: 'Again.' },
  ]
  const campaign = await aCampaign(made.owner, { ...open, steps_config, dataset_id, ...fields })
  await launchCampaign(made.owner.user_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { ...made, campaign_id: campaign.campaign_id }
}

describe('a reply and a claim that meet', () => {
  test('the reply first: the claim finds the lead ended', async () => {
    const { mail, mailbox } = await begun({}, 1)
    const gate = await pool().connect()
    await gate.query('BEGIN; LOCK TABLE inbound_messages IN EXCLUSIVE MODE')
    const reply = arrive(mailbox, replyTo(mail), minutes(DAY))
    await expect.poll(waiting).toBeGreaterThan(0)
    // The reply holds the campaign: the claim passes it by.
    expect((await dispatchAt(minutes(DAY))).offered).toBe(0)
    await gate.query('COMMIT')
    gate.release()
    await reply
    expect((await dispatchAt(minutes(DAY))).offered).toBe(0)
    expect(await leadTo(mail)).toMatchObject({ status: 'replied', current_step: 1 })
  })

  test('the claim first: the reply waits, and finds one step under way and none after it', async () => {
    const { mail, mailbox, campaign_id } = await begun({ steps_config: [FIRST, SECOND, SECOND] }, 1)
    const gate = await pool().connect()
    await gate.query('BEGIN; LOCK TABLE actions IN SHARE MODE')
    const claim = dispatchAt(minutes(DAY))
    await expect.poll(waiting).toBe(1)
    let replied = false
    const reply = arrive(mailbox, replyTo(mail), minutes(DAY)).then(() => {
      replied = true
    })
    await expect.poll(waiting).toBe(2)
    expect(replied).toBe(false)
    await gate.query('COMMIT')
    gate.release()
    await Promise.all([claim, reply])
    const steps = await db.action.findMany({ where: { campaign_id }, orderBy: { step: 'asc' } })
    expect(steps.map(({ step, status }) => [step, status])).toEqual([
      [1, 'sent'],
      [2, 'sent'],
    ])
    expect((await dispatchAt(minutes(3 * DAY))).offered).toBe(0)
    expect(await leadTo(mail)).toMatchObject({ status: 'replied', next_step: null })
  })

  test('a reply while its step is with the provider: it is recorded as sent, and nothing follows', async () => {
    const { mailbox, campaign_id } = await launched({}, 1)
    const sending = Promise.withResolvers<MailOutcome>()
    const slow = memoryMail(() => sending.promise)
    const dispatch = dispatchAt(MONDAY, slow)
    await expect.poll(() => slow.outbox.length).toBe(1)
    const [mail] = slow.outbox
    if (!mail) throw new Error('nothing left')
    expect(await arrive(mailbox, replyTo(mail), MONDAY)).toMatchObject({ kind: 'reply' })
    sending.resolve(ACCEPTED)
    await dispatch
    expect(await db.action.findMany({ where: { campaign_id } })).toMatchObject([{ status: 'sent', step: 1 }])
    expect(await leadTo(mail)).toMatchObject({ status: 'replied', current_step: 1, next_step: null })
    expect((await dispatchAt(minutes(DAY))).offered).toBe(0)
  })

  test('whatever the order, no claim follows a reply that was committed', async () => {
    const { outbox, mailbox, campaign_id } = await begun({}, 24)
    const replies = outbox.map((mail) => arrive(mailbox, replyTo(mail), minutes(DAY)))
    await Promise.all([...replies, ...[1, 2, 3].map(() => dispatchAt(minutes(DAY)))])
    expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(Array(24).fill('replied'))
    expect((await dispatchAt(minutes(5 * DAY))).offered).toBe(0)
  })
})

/** Sessions of this file's database that wait for a lock of another: those of other files have waits of their own. */
async function waiting() {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(DISTINCT pid)::int AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND datname = current_database()`,
  )
  return rows[0]?.count ?? 0
}

describe('an automatic reply', () => {
  test('is known and does not end its lead', async () => {
    const { mail, in: arrives } = await begun({}, 1)
    const raw = replyTo(mail, 'I am away until 9 March 2026.', 'Auto-Submitted: auto-replied')
    expect(await arrives(raw)).toMatchObject({ kind: 'automatic_reply' })
    const lead = await leadTo(mail)
    expect(lead).toMatchObject({ status: 'active', last_event: 'automatic_reply', next_step: 2 })
    expect(
      await db.inboundMessage.findFirst({ where: { campaign_lead_id: lead.campaign_lead_id } }),
    ).toMatchObject({
      detail: { returns_on: '2026-03-09' },
    })
    expect((await dispatchAt(minutes(DAY))).offered).toBe(1)
    expect(await db.thread.findFirst({ where: { campaign_lead_id: lead.campaign_lead_id } })).toMatchObject({
      unread: false,
      labels: ['automatic_reply'],
    })
  })
})

describe('a bounce', () => {
  test('for good: bounced and suppressed, in every campaign', async () => {
    const { mail, owner, dataset_id, in: arrives, ...made } = await begun({}, 2)
    const second = await launchedOver({ owner, dataset_id, ...made }, dataset_id, {})
    expect(await arrives(bounceOf(mail, '5.1.1'))).toMatchObject({ kind: 'hard_bounce' })
    const leads = await db.campaignLead.findMany({ where: { email: mail.to.address } })
    expect(leads.map(({ status }) => status)).toEqual(['bounced', 'bounced'])
    expect(await suppressionsOf(owner)).toEqual([{ value: mail.to.address, reason: 'hard_bounce' }])
    expect(await campaignOf(second.campaign_id)).toMatchObject({ status: 'active', bounced_count: 1 })
    expect((await dispatchAt(minutes(DAY))).outbox.map(({ to }) => to.address)).not.toContain(mail.to.address)
  })

  test('for good but not for the address: failed, and nobody is suppressed', async () => {
    const { mail, owner, in: arrives } = await begun({}, 1)
    await arrives(bounceOf(mail, '5.7.1', 'smtp; 550 5.7.1 blocked as spam'))
    expect(await leadTo(mail)).toMatchObject({ status: 'failed' })
    expect(await suppressionsOf(owner)).toEqual([])
  })

  test('for now: the same step is tried again with the same Message-ID, and the next keeps its delay', async () => {
    const { mail, campaign_id, in: arrives } = await begun({}, 1)
    expect(await arrives(bounceOf(mail, '4.2.2', 'smtp; 452 4.2.2 mailbox full'))).toMatchObject({
      kind: 'soft_bounce',
    })
    expect(await leadTo(mail)).toMatchObject({ status: 'active', next_step: 1, next_action_at: minutes(35) })
    expect((await dispatchAt(minutes(34))).offered).toBe(0)
    const { outbox } = await dispatchAt(minutes(36))
    expect(outbox.map(({ message_id }) => message_id)).toEqual([mail.message_id])
    expect(await db.action.findMany({ where: { campaign_id } })).toMatchObject([
      { status: 'sent', attempts: 2 },
    ])
    expect(await leadTo(mail)).toMatchObject({ next_step: 2 })
    expect(await campaignOf(campaign_id)).toMatchObject({ sent_count: 1 })
  })

  test('for now, of the last step of a running campaign: the lead is taken up again', async () => {
    const { mail, campaign_id, in: arrives } = await begun({ steps_config: [FIRST], daily_limit: 1 }, 2)
    expect(await leadTo(mail)).toMatchObject({ status: 'completed' })
    await arrives(bounceOf(mail, '4.4.7'))
    expect(await leadTo(mail)).toMatchObject({ status: 'active', next_step: 1 })
    await dispatchAt(minutes(DAY + 60))
    await dispatchAt(minutes(2 * DAY + 60))
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'completed',
      sent_count: 2,
      processed_leads: 2,
    })
  })

  test('for now, its mailbox removed since: it goes out from another', async () => {
    const { mail, owner, mailbox } = await begun({ steps_config: [FIRST], daily_limit: 1 }, 2)
    const other = await aMailbox(owner)
    await deleteMailbox(owner.user_id, mailbox.mailbox_id)
    await arrive(other, bounceOf(mail, '4.4.7'), later)
    const { outbox } = await dispatchAt(minutes(DAY + 60))
    expect(outbox.map(({ to, from }) => [to.address, from.address])).toEqual([
      [mail.to.address, other.address],
    ])
  })

  test('for now, when the campaign is over: failed, with the words of the server', async () => {
    const { mail, in: arrives } = await begun({ steps_config: [FIRST] }, 1)
    await arrives(bounceOf(mail, '4.4.7', 'smtp; 421 4.4.7 gave up'))
    expect(await leadTo(mail)).toMatchObject({ status: 'failed', reason: expect.stringContaining('gave up') })
  })

  test('five for now are the end', async () => {
    const { mail, in: arrives } = await begun({}, 1)
    for (const [bounced, sent] of [
      [1, 10],
      [20, 40],
      [50, 120],
      [130, 400],
    ] as const) {
      await arrives(bounceOf(mail, '4.2.2'), minutes(bounced))
      expect((await dispatchAt(minutes(sent))).offered).toBe(1)
    }
    await arrives(bounceOf(mail, '4.2.2'), minutes(410))
    expect(await leadTo(mail)).toMatchObject({ status: 'failed' })
  })

  test('a delay decides nothing: the other server still tries', async () => {
    const { mail, in: arrives } = await begun({}, 1)
    await arrives(bounceOf(mail, '4.4.1', 'smtp; timed out', 'delayed'))
    expect(await leadTo(mail)).toMatchObject({ status: 'active', next_step: 2 })
    expect((await dispatchAt(minutes(60))).offered).toBe(0)
  })
})

test('a complaint unsubscribes, suppresses and is counted once', async () => {
  const { mail, owner, campaign_id, in: arrives } = await begun()
  expect(await arrives(complaintOf(mail))).toMatchObject({ kind: 'complaint' })
  await arrives(complaintOf(mail))
  expect(await leadTo(mail)).toMatchObject({ status: 'unsubscribed', reason: 'complaint' })
  expect(await suppressionsOf(owner)).toEqual([{ value: mail.to.address, reason: 'complaint' }])
  expect(await campaignOf(campaign_id)).toMatchObject({ complained_count: 1 })
})

describe('an unsubscribe by mail', () => {
  const mailto = (mail: OutgoingMail) => {
    const link = /<mailto:[^?]+\?subject=([^>]+)>/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    return eml(
      `From: <someone@else.test>\nSubject: ${decodeURIComponent(link)}\nMessage-ID: <u${mail.message_id.slice(1)}`,
      '',
    )
  }

  test('of the header’s link, from whatever address', async () => {
    const { mail, owner, in: arrives } = await begun()
    expect(await arrives(mailto(mail))).toMatchObject({ kind: 'unsubscribe' })
    expect(await leadTo(mail)).toMatchObject({ status: 'unsubscribed' })
    expect(await suppressionsOf(owner)).toEqual([{ value: mail.to.address, reason: 'unsubscribe' }])
  })

  test('of the link in a mail whose campaign was deleted', async () => {
    const { mail, owner, campaign_id, in: arrives } = await begun()
    await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
    await deleteCampaign(owner.user_id, campaign_id)
    expect(await arrives(mailto(mail))).toMatchObject({ kind: 'unsubscribe', campaign_lead_id: null })
    expect(await suppressionsOf(owner)).toEqual([{ value: mail.to.address, reason: 'unsubscribe' }])
  })

  test('in plain words', async () => {
    const { mail, owner, in: arrives } = await begun()
    await arrives(replyTo(mail, 'Please remove me from your list.'))
    expect(await leadTo(mail)).toMatchObject({ status: 'unsubscribed' })
    expect(await suppressionsOf(owner)).toHaveLength(1)
  })

  test('said among other things is a reply with a flag', async () => {
    const { mail, owner, in: arrives } = await begun()
    await arrives(
      replyTo(
        mail,
        'We have a supplier for all of this already. Would you remove me from your list? Thank you and good luck with it all, it looks nice.',
      ),
    )
    expect(await suppressionsOf(owner)).toEqual([])
    const { campaign_lead_id } = await leadTo(mail)
    expect(await db.thread.findFirst({ where: { campaign_lead_id } })).toMatchObject({
      labels: ['may_want_out'],
    })
  })
})

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

describe('a campaign halts by itself', () => {
  test('over 5 % of hard bounces after 50 sends', async () => {
    const { outbox, campaign_id, in: arrives } = await begun({}, 60)
    for (const mail of outbox.slice(0, 3)) await arrives(bounceOf(mail, '5.1.1'))
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'draining' })
    await arrives(bounceOf(outbox[3] as OutgoingMail, '5.1.1'))
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'paused',
      paused_from: 'draining',
      paused_reason: 'bounce_rate',
      next_slot_at: null,
    })
    expect((await dispatchAt(minutes(DAY))).offered).toBe(0)
  })

  test('the same when they are refused at once', async () => {
    const { campaign_id } = await launched({}, 60)
    const refused: MailOutcome = {
      outcome: 'refused_for_good',
      stage: 'rcpt',
      code: 550,
      enhanced: '5.1.1',
      response: '550 5.1.1 No such user',
      blames: 'recipient',
    }
    let offered = 0
    await dispatchAt(
      MONDAY,
      memoryMail(() => (++offered % 10 === 0 ? refused : ACCEPTED)),
    )
    expect(await campaignOf(campaign_id)).toMatchObject({
      status: 'paused',
      paused_reason: 'bounce_rate',
    })
    expect(await db.campaignEvent.findFirst({ where: { campaign_id, kind: 'paused' } })).toMatchObject({
      reason: 'bounce_rate',
    })
  })

  test('over 0.3 % of complaints after 300 sends', async () => {
    const { outbox, campaign_id, in: arrives } = await begun({}, 310)
    await arrives(complaintOf(outbox[0] as OutgoingMail))
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'paused', paused_reason: 'complaint_rate' })
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
      where: { user_id: owner.user_id },
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
      const thread = await db.thread.findFirstOrThrow({ where: { user_id: owner.user_id } })
      return [thread.counterpart_address, thread.counterpart_name]
    }
    await arrives(
      `From: Out Of Office <noreply@robots.test>\nAuto-Submitted: auto-replied\n${replyHead(mail)}`,
    )
    expect(await whom()).toEqual([mail.to.address, null])
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
      where: { user_id: owner.user_id },
      data: { status: 'done', unread: false, snoozed_until: minutes(DAY) },
    })
    await arrives(replyTo(mail, 'Are you there?'), minutes(60))
    expect(await db.thread.findFirst({ where: { user_id: owner.user_id } })).toMatchObject({
      status: 'open',
      unread: true,
      snoozed_until: null,
    })
  })
})
