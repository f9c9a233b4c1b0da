import { afterEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { MailOutcome, OutgoingMail } from '#lib/providers/mail/port'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { deleteMailbox } from '#lib/services/senders/mailboxes'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, leadTo } from '#tests/support/scenes/begun'
import { aMailbox } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, FIRST, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

const DAY = 24 * 60

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const suppressionsOf = ({ workspace_id }: { workspace_id: string; user_id: string }) =>
  db.suppression.findMany({ where: { workspace_id }, select: { value: true, reason: true } })

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

  test('for now, of a lead whose row was removed since: it stays done', async () => {
    const { mail, dataset_id, in: arrives } = await begun({ steps_config: [FIRST], daily_limit: 1 }, 2)
    const { lead_index } = await leadTo(mail)
    await db.datasetRow.deleteMany({ where: { dataset_id, lead_index } })
    await arrives(bounceOf(mail, '4.4.7'))
    expect(await leadTo(mail)).toMatchObject({ status: 'completed' })
  })

  test('for now, its mailbox removed since: it goes out from another', async () => {
    const { mail, owner, mailbox } = await begun({ steps_config: [FIRST], daily_limit: 1 }, 2)
    const other = await aMailbox(owner)
    await deleteMailbox(owner.workspace_id, mailbox.mailbox_id)
    await arrive(other, bounceOf(mail, '4.4.7'), later)
    const { outbox } = await dispatchAt(minutes(DAY + 60))
    expect(outbox.map(({ to, from }) => [to.address, from.address])).toEqual([
      [mail.to.address, other.address],
    ])
  })

  test('for now, when the campaign is over: failed, with the words of the server', async () => {
    const { mail, in: arrives } = await begun({ steps_config: [FIRST] }, 1)
    await arrives(bounceOf(mail, '4.4.7', 'smtp; 421 4.4.7 gave up'))
    expect(await leadTo(mail)).toMatchObject({
      status: 'failed',
      reason: 'failed',
      reason_detail: expect.stringContaining('gave up'),
    })
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
    await deleteCampaign(owner.workspace_id, campaign_id)
    expect(await arrives(mailto(mail))).toMatchObject({ kind: 'unsubscribe', campaign_lead_id: null })
    expect(await suppressionsOf(owner)).toEqual([{ value: mail.to.address, reason: 'unsubscribe' }])
  })

  test('in plain words', async () => {
    const { mail, owner, in: arrives } = await begun()
    await arrives(replyTo(mail, 'Please remove me from your list.'))
    expect(await leadTo(mail)).toMatchObject({ status: 'unsubscribed' })
    expect(await suppressionsOf(owner)).toHaveLength(1)
  })

  test('said among other things is a reply with that intent', async () => {
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
      labels: [],
      intent: 'stop',
    })
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
