import { describe, expect, test } from 'vitest'
import { DuplicateCampaign, ReadCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { SendTest } from '#lib/contracts/campaigns/step-previews'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { arrive, bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { sink } from '#tests/support/scenes/inbox'
import { dispatchAt, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'

const BCC = 'dropbox@crm.test'

/** The counts of the campaign's ledger and of its limits. */
async function counted(campaign_id: string, mailbox_id: string) {
  const [actions, days, senders, campaign] = await Promise.all([
    db.action.count({ where: { campaign_id, status: 'sent' } }),
    db.campaignDay.findMany({ where: { campaign_id }, select: { used: true } }),
    db.senderDay.findMany({ where: { sender_id: mailbox_id }, select: { used: true } }),
    db.campaign.findUniqueOrThrow({ where: { campaign_id }, select: { sent_count: true } }),
  ])
  return { actions, days, senders, ...campaign }
}

describe('a campaign with a Bcc', () => {
  test('copies each of its mails there, a second try too, and counts what it counts without', async () => {
    const [plain, copied] = [await launched(), await launched({ bcc_address: BCC })]
    let tries = 0
    const mail = memoryMail((message) => {
      tries += message.bcc?.length ?? 0
      return tries === 1
        ? {
            outcome: 'refused_for_now',
            stage: 'rcpt',
            code: 451,
            enhanced: '4.7.1',
            response: 'Later',
            blames: 'recipient',
          }
        : { outcome: 'accepted', response: '250 OK', server_message_id: null }
    })
    await dispatchAt(MONDAY, mail)
    await dispatchAt(minutes(60), mail)
    const own = mail.outbox.filter(({ bcc }) => bcc?.length)
    expect(own).toHaveLength(4)
    expect(own.every(({ bcc, cc }) => bcc?.[0]?.address === BCC && cc?.length === 0)).toBe(true)
    expect(mail.outbox).toHaveLength(7)
    expect(await counted(copied.campaign_id, copied.mailbox.mailbox_id)).toEqual(
      await counted(plain.campaign_id, plain.mailbox.mailbox_id),
    )
    expect(await db.person.count({ where: { workspace_id: copied.owner.workspace_id, email: BCC } })).toBe(0)
  })

  test('hands one mail to the server for both, that names the lead alone', async () => {
    const { mailbox, campaign_id } = await launched({ bcc_address: BCC }, 1)
    await db.mailbox.update({
      where: { mailbox_id: mailbox.mailbox_id },
      data: {
        smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: null },
        smtp_password: null,
      },
    })
    const before = sink.messages.length
    const { mailProvider } = await import('#lib/services/senders/mail-provider')
    await dispatchAt(MONDAY, { provider: mailProvider(), outbox: [] })
    const left = sink.messages.slice(before)
    const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
    expect(left.map(({ to }) => to)).toEqual([[lead.email, BCC]])
    expect(left[0]?.raw).not.toContain(BCC)
  })

  test('sends no copy while the address is suppressed, and the mails all the same', async () => {
    const { owner, campaign_id } = await launched({ bcc_address: BCC }, 2)
    await call(AddSuppressions, { as: owner, body: { value: '@crm.test', reason: 'manual' } })
    const { outbox } = await dispatchAt(MONDAY)
    expect(outbox.map(({ bcc }) => bcc)).toEqual([[], []])
    const { body } = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
    expect(body.warns.map(({ code }) => code)).toContain('bcc_suppressed')
  })
})

describe('what comes back from the dropbox', () => {
  test.each([
    ['a bounce', (mail: Parameters<typeof bounceOf>[0]) => bounceOf(mail, '5.1.1')],
    ['a note that it took in its copy', (mail: Parameters<typeof bounceOf>[0]) => replyTo(mail, 'Logged.')],
  ])('%s is not about the lead', async (_what, answer) => {
    const { owner, mailbox, campaign_id } = await launched({ bcc_address: BCC }, 1)
    const [mail] = (await dispatchAt(MONDAY)).outbox
    if (!mail) throw new Error('no mail left')
    await arrive(mailbox, answer({ ...mail, to: { address: BCC } }), minutes(5))
    const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
    expect(lead.status).toBe('active')
    const { workspace_id } = owner
    expect(await db.suppression.count({ where: { workspace_id } })).toBe(0)
    expect(await db.thread.count({ where: { workspace_id } })).toBe(0)
    await arrive(mailbox, answer(mail), minutes(6))
    expect((await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })).status).not.toBe('active')
  })
})

test('its owner sets it, is told of it before a launch, and clears it', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner, { steps_config: [WATCHED, SECOND] })
  const params = { campaign_id }
  const codes = async () => {
    const { warns, informs } = (await call(ReadLaunchChecks, { as: owner, params })).body
    const own = [...warns, ...informs].filter(({ code }) => code.startsWith('bcc_'))
    return own.map(({ code, fix }) => [code, fix])
  }
  expect(await codes()).toEqual([])
  expect((await call(UpdateCampaign, { as: owner, params, body: { bcc_address: 'nobody' } })).status).toBe(
    422,
  )
  const set = await call(UpdateCampaign, { as: owner, params, body: { bcc_address: 'DropBox@CRM.test' } })
  expect([set.status, set.body.bcc_address]).toEqual([200, BCC])
  const page = `/campaigns/${campaign_id}/settings`
  expect(await codes()).toEqual([
    ['bcc_tracked', page],
    ['bcc_copies', page],
  ])
  expect((await call(DuplicateCampaign, { as: owner, params, body: {} })).body.bcc_address).toBe(BCC)
  await call(UpdateCampaign, { as: owner, params, body: { bcc_address: null } })
  expect((await call(ReadCampaign, { as: owner, params })).body.bcc_address).toBeNull()
  expect(await codes()).toEqual([])
})

test('a test message goes to whom it is sent to alone', async () => {
  const { owner, mailbox, campaign_id } = await launched({ bcc_address: BCC }, 1)
  await db.mailbox.update({
    where: { mailbox_id: mailbox.mailbox_id },
    data: {
      smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: null },
      smtp_password: null,
    },
  })
  const before = sink.messages.length
  const body = { step: 1, lead_index: 0, to: 'me@own.test' }
  expect((await call(SendTest, { as: owner, params: { campaign_id }, body })).body.sent).toBe(true)
  expect(sink.messages.slice(before).map(({ to }) => to)).toEqual([['me@own.test']])
})
