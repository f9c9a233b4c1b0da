import { afterEach, expect, test } from 'vitest'
import { ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { ReadMailboxHealth, ResumeMailboxProvider } from '#lib/contracts/senders/mailbox-health'
import { db, pool } from '#lib/db/client'
import { SEND_DAYS } from '#lib/domain/calendar/schedule'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { judgeProviders } from '#lib/services/campaigns/providers/provider-health'
import { findRecipientDomains } from '#lib/services/domains/recipient-domains'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { wholeForecast } from '#lib/services/forecast/forecasts'
import { mailboxHealth } from '#lib/services/forecast/mailbox-health'
import { listNotifications } from '#lib/services/telling/notifications'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { launchedOver } from '#tests/support/scenes/begun'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes, OPEN } from '#tests/support/scenes/launched'
import { createDnsServer } from '#tests/support/servers/dns'

const HOUR = 60
const REFUSED = {
  outcome: 'refused_for_good',
  code: 550,
  response: '550 5.7.1 blocked',
  stage: 'rcpt',
  enhanced: null,
  blames: 'recipient',
} as const

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
  await db.recipientDomain.deleteMany()
})

const place = (domain: string, provider: 'google' | 'microsoft') =>
  db.recipientDomain.create({ data: { domain, provider } })

/** A mailbox that Microsoft refuses: twenty addresses there are invalid, and others are still to be written to. */
async function refused() {
  await place('outlook.example', 'microsoft')
  await place('gmail.example', 'google')
  const made = await launched({}, 1)
  const { owner, mailbox } = made
  const rows = Array.from({ length: 20 }, (_, place) => ({ email: `gone${place}@outlook.example` }))
  const { dataset_id } = await aDataset(owner, rows)
  await launchedOver(made, dataset_id, {})
  await dispatchAt(
    MONDAY,
    memoryMail(({ to }) => (to.address.startsWith('gone') ? REFUSED : ACCEPTED)),
  )
  const more = await aDataset(owner, [{ email: 'ann@outlook.example' }, { email: 'bo@gmail.example' }])
  // Sends on every day: it is resumed by the clock of the machine, whatever day that is.
  const { campaign_id } = await launchedOver(made, more.dataset_id, { send_days: [...SEND_DAYS] })
  return { ...made, owner, mailbox, campaign_id, dataset_id: more.dataset_id }
}

const pauses = () => db.providerPause.findMany({ select: { provider: true, cause: true, until: true } })
const UNTIL = minutes(24 * HOUR)
const recipients = async (at: Date) =>
  (await dispatchAt(at)).outbox.map(({ to }) => to.address).filter((to) => !to.endsWith('@example.com'))

test('a provider that refuses too much is not written to by that mailbox, and the lead says so', async () => {
  const { owner, mailbox, campaign_id } = await refused()
  expect(await pauses()).toEqual([{ provider: 'microsoft', cause: 'bounces', until: UNTIL }])
  const planned = await wholeForecast(owner.workspace_id, campaign_id, minutes(5))
  expect(await recipients(minutes(5))).toEqual(['bo@gmail.example'])
  const ann = await db.campaignLead.findFirstOrThrow({ where: { email: 'ann@outlook.example' } })
  expect(ann).toMatchObject({
    status: 'active',
    reason: 'provider_paused',
    next_action_at: UNTIL,
    current_step: 0,
  })
  const { body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id } })
  expect(body.items.find(({ email }) => email === ann.email)).toMatchObject({
    reason: 'provider_paused',
    waits_for: { why: 'provider_paused', not_before: UNTIL.toISOString() },
  })
  const health = ReadMailboxHealth.response.parse(
    await mailboxHealth(owner.workspace_id, mailbox.mailbox_id, minutes(6)),
  )
  expect(health.providers.filter(({ provider }) => provider !== 'other')).toMatchObject([
    { provider: 'google', sent: 1, bounced: 0, pause: null },
    { provider: 'microsoft', sent: 0, bounced: 20, pause: { cause: 'bounces', until: UNTIL.toISOString() } },
  ])

  // What was forecast happens, also for the leads that had to wait.
  expect(await recipients(new Date(UNTIL.getTime() - 1))).toEqual([])
  expect(await recipients(UNTIL)).toContain('ann@outlook.example')
  expect([...planned.at].slice(0, 2)).toEqual([minutes(5).getTime(), UNTIL.getTime()])
})

test('who works there is told once for each pause, and a forecast warns of it', async () => {
  const { owner, mailbox, campaign_id } = await refused()
  const { workspace_id } = owner
  await judgeProviders(pool(), workspace_id, [mailbox.mailbox_id], minutes(30))
  const { items } = await listNotifications(owner, { page: 1, page_size: 10, unread: 'false' })
  const told = items.filter(({ kind }) => kind === 'provider_paused')
  expect(told).toMatchObject([
    {
      mailbox_id: mailbox.mailbox_id,
      text: `${mailbox.address} has paused sending to Microsoft, where 20 of 20 emails bounced. It resumes automatically within a day. Emails to other providers continue.`,
    },
  ])
  const warnings = async (at: Date) => (await wholeForecast(workspace_id, campaign_id, at)).warnings
  expect(await warnings(minutes(5))).toContainEqual({
    code: 'provider_paused',
    message:
      '1 mailbox has paused sending to Microsoft until Tue 3 Mar 2026, 10:00 (UTC) at the latest. Leads there wait or get another mailbox.',
  })
  expect((await warnings(UNTIL)).map(({ code }) => code)).not.toContain('provider_paused')
})

test('why a campaign waits is said where nobody else is due', async () => {
  const { owner, campaign_id } = await refused()
  await db.campaignLead.deleteMany({ where: { email: 'bo@gmail.example' } })
  expect(await recipients(minutes(5))).toEqual([])
  expect(await explainCampaign(owner.workspace_id, campaign_id, minutes(6))).toMatchObject({
    code: 'provider_paused',
    until: UNTIL,
    params: { people: 1 },
  })
})

test('a draft is forecast with the pause, and another mailbox may write there', async () => {
  const made = await refused()
  const { owner, campaign_id, dataset_id, mailbox } = made
  await db.campaign.delete({ where: { campaign_id } })
  const draft = await aCampaign(owner, {
    ...OPEN,
    dataset_id,
    steps_config: [{ subject: 'Hello', message_template: 'A word.' }],
  })
  const planned = await wholeForecast(owner.workspace_id, draft.campaign_id, minutes(5))
  expect([...planned.at]).toEqual([minutes(5).getTime(), UNTIL.getTime()])
  const other = await aMailbox(owner)
  await launchedOver(made, dataset_id, { alias_ids: [mailbox.mailbox_id, other.mailbox_id] })
  const { outbox } = await dispatchAt(minutes(10))
  expect(outbox.find(({ to }) => to.address === 'ann@outlook.example')?.from.address).toBe(other.address)
})

test('resumed by hand, who waited has their turn at once, and old refusals count no more', async () => {
  const { owner, mailbox, campaign_id } = await refused()
  await recipients(minutes(5))
  const resume = (as = owner) =>
    call(ResumeMailboxProvider, {
      as,
      params: { mailbox_id: mailbox.mailbox_id },
      body: { provider: 'microsoft' },
    })
  expect((await resume(await aUser())).status).toBe(404)
  // The API call uses the real clock, which is long after the pause: the pause is extended to cover it.
  const now = new Date()
  await db.providerPause.updateMany({ data: { until: new Date(now.getTime() + HOUR * 60_000) } })
  expect((await resume()).body).toEqual({ provider: 'microsoft', resumed: true })
  expect((await resume()).body).toEqual({ provider: 'microsoft', resumed: false })
  const ann = await db.campaignLead.findFirstOrThrow({ where: { email: 'ann@outlook.example' } })
  expect(ann.put_off_until).toBeNull()
  const { next_slot_at } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(await recipients(new Date(Math.max(next_slot_at?.getTime() ?? 0, now.getTime()) + 1_000))).toContain(
    'ann@outlook.example',
  )
})

test('who takes mail for a domain is found by its MX, kept, and asked again where DNS did not answer', async () => {
  const dns = await createDnsServer()
  try {
    const owner = await aUser()
    const domains = ['acme-mail.com', 'globex-mail.com', 'silent-mail.com', 'reserved.example']
    await db.company.createMany({
      data: domains.map((domain) => ({ workspace_id: owner.workspace_id, domain })),
    })
    dns.zone['acme-mail.com'] = { MX: [[1, 'aspmx.l.google.com']] }
    dns.zone['globex-mail.com'] = { MX: [[1, 'mx.globex.example']] }
    dns.zone['silent-mail.com'] = 'servfail'
    const provider = createDnsProvider({ servers: [dns.server], ask_authoritative: false })
    await findRecipientDomains(MONDAY, provider)
    const known = async () =>
      Object.fromEntries(
        (await db.recipientDomain.findMany({ where: { domain: { in: domains } } })).map((row) => [
          row.domain,
          row.provider,
        ]),
      )
    expect(await known()).toEqual({
      'acme-mail.com': 'google',
      'globex-mail.com': 'other',
      'silent-mail.com': null,
      'reserved.example': 'other',
    })
    expect(await db.recipientDomain.findUnique({ where: { domain: 'gmail.com' } })).toMatchObject({
      provider: 'google',
    })
    dns.zone['silent-mail.com'] = { MX: [[1, 'silent.mail.protection.outlook.com']] }
    await findRecipientDomains(minutes(60), provider)
    expect((await known())['silent-mail.com']).toBeNull()
    await findRecipientDomains(minutes(7 * 60), provider)
    expect((await known())['silent-mail.com']).toBe('microsoft')
  } finally {
    await dns.close()
  }
})
