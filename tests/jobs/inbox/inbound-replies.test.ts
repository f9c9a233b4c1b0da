import { afterEach, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo, logOf } from '#tests/support/scenes/begun'
import { aDataset } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, FIRST, launched, leadsOf, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

const DAY = 24 * 60

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

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

  test.each(['xn--bcher-kva.test', 'bücher.test', 'BÜCHER.test'])(
    'from a domain of other letters is found, as %s in its header',
    async (domain) => {
      const made = await launched({}, 1)
      await db.campaign.deleteMany({ where: { campaign_id: made.campaign_id } })
      const { dataset_id } = await aDataset(made.owner, [
        { email: 'ada@xn--bcher-kva.test', first_name: 'Ada' },
      ])
      const { campaign_id } = await launchedOver(made, dataset_id, {})
      await dispatchAt(MONDAY)
      const raw = eml(
        `From: Ada <ada@${domain}>\nSubject: Your note\nMessage-ID: <${domain.length}-${campaign_id}@new>`,
      )
      await arrive(made.mailbox, raw, later)
      expect(await leadsOf(campaign_id)).toMatchObject([{ status: 'replied', next_action_at: null }])
      expect(await db.thread.findFirst({ where: { campaign_id } })).toMatchObject({
        counterpart_address: 'ada@xn--bcher-kva.test',
      })
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

describe('a reply and a claim that meet', () => {
  test('the reply first: the claim finds the lead ended', async () => {
    const { mail, mailbox } = await begun({}, 1)
    const gate = await pool().connect()
    await gate.query('BEGIN; LOCK TABLE inbound_messages IN EXCLUSIVE MODE')
    const reply = arrive(mailbox, replyTo(mail), minutes(DAY))
    await expect.poll(waiting).toBeGreaterThan(0)
    // The reply's transaction holds the campaign's lock: the claim skips it.
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

/** Sessions of this file's database that wait for another's lock: other files have waits of their own. */
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
    const raw = replyTo(mail, 'I am away until 2 March 2026.', 'Auto-Submitted: auto-replied')
    expect(await arrives(raw)).toMatchObject({ kind: 'automatic_reply' })
    const lead = await leadTo(mail)
    expect(lead).toMatchObject({ status: 'active', last_event: 'automatic_reply', next_step: 2 })
    expect(
      await db.inboundMessage.findFirst({ where: { campaign_lead_id: lead.campaign_lead_id } }),
    ).toMatchObject({
      detail: { returns_on: '2026-03-02' },
    })
    expect((await dispatchAt(minutes(DAY))).offered).toBe(1)
    expect(await db.thread.findFirst({ where: { campaign_lead_id: lead.campaign_lead_id } })).toMatchObject({
      unread: false,
      labels: ['automatic_reply'],
    })
  })
})
