import { afterEach, describe, expect, test } from 'vitest'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { db, pool } from '#lib/db/client'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { handleTogether } from '#lib/services/inbox/handle-mail'
import { call } from '#tests/support/call'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { begun, campaignOf, later, launchedOver, logOf } from '#tests/support/scenes/begun'
import { aCampaign } from '#tests/support/scenes/factories'
import { dispatchAt, launched, minutes, OPEN } from '#tests/support/scenes/launched'

/** When the second step is due for every lead that got the first. */
const DAY = minutes(24 * 60 + 5)

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const leadIn = (campaign_id: string, email: string) =>
  db.campaignLead.findFirstOrThrow({ where: { campaign_id, email } })
const askFor = (workspace_id: string, after_reply: 'everywhere' | 'campaign') =>
  db.workspace.update({ where: { workspace_id }, data: { after_reply } })
const severalAtOnce = (workspace_id: string) =>
  db.workspace.update({ where: { workspace_id }, data: { one_campaign_at_a_time: false } })
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)

/** Two running campaigns over one dataset; `mail` is one that the first of them sent. */
async function twice() {
  const first = await begun()
  await severalAtOnce(first.owner.workspace_id)
  const second = await launchedOver(first, first.dataset_id, {})
  await dispatchAt(minutes(1))
  return { ...first, address: first.mail.to.address, other_id: second.campaign_id }
}

describe('a lead who answers what another lead was sent', () => {
  /** A mail to the first lead, and the reply of the second one to it. */
  async function forwarded() {
    const made = await begun({}, 3)
    const [to, other, third] = made.outbox
    if (!to || !other || !third) throw new Error('nothing left')
    const from = other.to.address
    const answer = (text: string) => replyTo(to, text).replace(/^From: .*/, `From: <${from}>`)
    return { ...made, first: to.to.address, second: from, third, other, answer }
  }

  test('has answered too, and the other is known to have been', async () => {
    const { campaign_id, first, second, answer, in: arrives } = await forwarded()
    await arrives(answer('I am the right person. Call me.'))
    for (const address of [first, second]) {
      const lead = await leadIn(campaign_id, address)
      expect(lead).toMatchObject({ status: 'replied', next_action_at: null })
      expect(await logOf(lead.campaign_lead_id)).toContain('replied')
    }
    expect(await recipients(DAY)).toHaveLength(1)
  })

  test('gets no more mail from any campaign where they ask for that', async () => {
    const made = await forwarded()
    const { owner, second } = made
    await severalAtOnce(owner.workspace_id)
    const other = await launchedOver(made, made.dataset_id, {})
    await dispatchAt(minutes(1))
    await made.in(made.answer('Please unsubscribe me.'))
    expect(await leadIn(other.campaign_id, second)).toMatchObject({ status: 'unsubscribed' })
    const kept = await db.suppression.findMany({ where: { workspace_id: owner.workspace_id } })
    expect(kept.map(({ value }) => value)).toContain(second)
    expect(await recipients(DAY)).not.toContain(second)
  })

  test('in the midst of what all of them answer themselves', async () => {
    const { mailbox, campaign_id, mail, other, third, answer } = await forwarded()
    const raws = [answer('Call me.'), replyTo(other), replyTo(third), replyTo(mail)]
    const mails = raws.map((raw, uid) => ({
      folder: 'INBOX',
      uid_validity: 1n,
      uid: uid + 1,
      raw: Buffer.from(raw),
      size_bytes: raw.length,
      received_at: later,
    }))
    expect(await handleTogether(pool(), mailbox, mails, later)).toHaveLength(4)
    expect(await campaignOf(campaign_id)).toMatchObject({ status: 'completed', replied_count: 3 })
    expect(await recipients(DAY)).toEqual([])
  })
})

describe('a reply to one campaign', () => {
  test('ends the person in every other one, where it counts as no reply', async () => {
    const { mail, address, other_id, campaign_id, in: arrives } = await twice()
    await arrives(replyTo(mail))
    expect(await leadIn(campaign_id, address)).toMatchObject({ status: 'replied' })
    const ended = await leadIn(other_id, address)
    expect(ended).toMatchObject({ status: 'skipped', reason: 'replied_elsewhere', next_action_at: null })
    expect(await logOf(ended.campaign_lead_id)).toEqual(['replied_elsewhere'])
    const mailed = await recipients(DAY)
    expect(mailed).not.toContain(address)
    expect(mailed).toHaveLength(2)
    expect(await campaignOf(other_id)).toMatchObject({ status: 'completed', replied_count: 0, sent_count: 3 })
  })

  test('leaves the others going where the workspace asks for that', async () => {
    const { mail, address, owner, in: arrives } = await twice()
    await askFor(owner.workspace_id, 'campaign')
    await arrives(replyTo(mail))
    expect((await recipients(DAY)).filter((to) => to === address)).toHaveLength(1)
  })

  test('ends at the next claim whom a stricter policy no longer lets through', async () => {
    const { mail, address, other_id, owner, in: arrives } = await twice()
    await askFor(owner.workspace_id, 'campaign')
    await arrives(replyTo(mail))
    await askFor(owner.workspace_id, 'everywhere')
    expect(await recipients(DAY)).not.toContain(address)
    expect(await leadIn(other_id, address)).toMatchObject({ status: 'skipped', reason: 'replied_elsewhere' })
  })

  test('that was deleted since, ends the person in the one that goes on, though they quote the link of the first', async () => {
    const { mail, address, owner, campaign_id, other_id, in: arrives } = await twice()
    await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
    await deleteCampaign(owner.workspace_id, campaign_id)
    const link = /<(https?:[^>]+)>/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1]
    await arrives(replyTo(mail, `Yes, call me.\n\nDana wrote on 2 March 2026:\n> Hello\n> ${link}`))
    expect(await leadIn(other_id, address)).toMatchObject({ status: 'replied', next_action_at: null })
    expect(await recipients(DAY)).not.toContain(address)
  })

  test('that was deleted since, suppresses whom it was sent to, whoever asks for it', async () => {
    const { mail, outbox, owner, campaign_id, other_id, in: arrives } = await twice()
    await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
    await deleteCampaign(owner.workspace_id, campaign_id)
    const link = /<(https?:[^>]+)>/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1]
    const wish = replyTo(mail, `Please remove me.\n\nDana wrote on 2 March 2026:\n> Hello\n> ${link}`)
    const colleague = outbox[1]?.to.address ?? ''
    await arrives(wish.replace(mail.to.address, colleague))
    expect(await leadIn(other_id, mail.to.address)).toMatchObject({ status: 'unsubscribed' })
    expect(await leadIn(other_id, colleague)).toMatchObject({ status: 'active' })
  })

  test('ends nobody of another workspace', async () => {
    const { mail, in: arrives } = await begun()
    const { address } = mail.to
    const theirs = await launched()
    await db.datasetRow.updateMany({
      where: { dataset_id: theirs.dataset_id, lead_index: 0 },
      data: { email: address },
    })
    const { campaign_id } = await launchedOver(theirs, theirs.dataset_id, {})
    await arrives(replyTo(mail))
    expect(await leadIn(campaign_id, address)).toMatchObject({ status: 'pending' })
    expect(await recipients(DAY)).toContain(address)
  })
})

describe('a campaign launched after a reply', () => {
  test('passes the person over, and says so beforehand', async () => {
    const { mail, mailbox, owner, dataset_id, ...first } = await begun()
    await arrive(mailbox, replyTo(mail), later)
    const draft = await aCampaign(owner, { ...OPEN, dataset_id })
    const checks = await call(ReadLaunchChecks, { as: owner, params: { campaign_id: draft.campaign_id } })
    expect(JSON.stringify(checks.body)).toContain(
      '1 row for people who replied in another campaign will be skipped.',
    )
    const { campaign_id } = await launchedOver({ ...first, mailbox, owner, dataset_id }, dataset_id, {})
    expect(await leadIn(campaign_id, mail.to.address)).toMatchObject({
      status: 'skipped',
      reason: 'replied_elsewhere',
    })
    expect(await recipients(minutes(5))).not.toContain(mail.to.address)
  })

  test('has the person where the workspace asks for that', async () => {
    const { mail, mailbox, owner, dataset_id, ...first } = await begun()
    await arrive(mailbox, replyTo(mail), later)
    await askFor(owner.workspace_id, 'campaign')
    const { campaign_id } = await launchedOver({ ...first, mailbox, owner, dataset_id }, dataset_id, {})
    expect(await leadIn(campaign_id, mail.to.address)).toMatchObject({ status: 'pending', reason: null })
  })
})
