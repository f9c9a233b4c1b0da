import { afterEach, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ListCampaigns } from '#lib/contracts/campaigns/campaigns'
import { ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { db } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { listCampaigns } from '#lib/services/campaigns/campaigns'
import { readListedRates } from '#lib/services/campaigns/reports/listed-rates'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { call } from '#tests/support/call'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'

const MONDAY = new Date('2026-03-02T23:30:00.000Z')
const hours = (count: number) => new Date(MONDAY.getTime() + count * 3_600_000)
const open = {
  sending_window_start: '22:00',
  sending_window_end: '02:00',
  timezone: 'Europe/Berlin',
  min_interval_seconds: 0,
  daily_limit: 1_000,
}

afterEach(async () => {
  await db.campaign.deleteMany()
})

async function launched(leads: number, steps_config: unknown[], fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, leads)
  const campaign = await aCampaign(owner, { ...open, dataset_id, steps_config, ...fields })
  await launchCampaign(owner.workspace_id, campaign.campaign_id, null, MONDAY)
  await enrolLeads(campaign.campaign_id, MONDAY)
  await activateCampaign(campaign.campaign_id, MONDAY)
  return { owner, campaign_id: campaign.campaign_id }
}

const dispatch = (at: Date, answer?: (to: string) => MailOutcome) =>
  dispatchDue({
    mail: memoryMail((mail) => answer?.(mail.to.address) ?? ACCEPTED).provider,
    clock: () => at,
  })

/** As the inbox does it: the lead is over, and its remaining steps are dropped. */
const reply = (campaign_id: string, leads: number[], at: Date) =>
  db.campaignLead.updateMany({
    where: { campaign_id, lead_index: { in: leads } },
    data: {
      status: 'replied',
      next_step: null,
      next_action_at: null,
      last_event: 'replied',
      last_event_at: at,
    },
  })

const analyticsOf = async (owner: { workspace_id: string; user_id: string }, campaign_id: string) => {
  const { status, body } = await call(ReadCampaignAnalytics, { as: owner, params: { campaign_id } })
  expect(status).toBe(200)
  return body
}

test('a draft has nothing to show, and says nothing that was not counted', async () => {
  const owner = await aUser()
  const { campaign_id } = await aCampaign(owner, {
    steps_config: [{ subject: 'Hi', message_template: 'Hi' }],
  })
  const body = await analyticsOf(owner, campaign_id)
  expect(body.leads).toMatchObject({ total: 0, contacted: 0, opened: null, clicked: null, waiting: 0 })
  expect(body.reply_rate).toEqual({ numerator: 0, denominator: 0, rate: null, low: null, high: null })
  expect(body.open_rate).toBe(null)
  expect(body.not_measured.map(({ name }) => name)).toEqual(['opened', 'clicked'])
  expect(body.steps).toMatchObject([{ step: 1, sent: 0, waiting: 0, variants: [], comparison: null }])
  expect(body.days).toEqual([])
})

test('each lead counts once in the funnel, and its ending goes to the last action before it', async () => {
  const { owner, campaign_id } = await launched(6, [
    { subject: 'Hello', message_template: 'Hello {{ first_name }}' },
    { delay_days: 1, message_template: 'Again' },
  ])
  const refused: MailOutcome = {
    outcome: 'refused_for_good',
    stage: 'rcpt',
    code: 550,
    enhanced: '5.1.1',
    response: '550 no such user',
    blames: 'recipient',
  }
  await dispatch(MONDAY, (to) => {
    if (to.endsWith('-0@example.com')) return refused
    return to.endsWith('-1@example.com') ? { outcome: 'unknown', error: 'lost' } : ACCEPTED
  })
  await reply(campaign_id, [2], hours(10))
  // One lead was refused, one replied: the rest wait for the second step.
  expect((await analyticsOf(owner, campaign_id)).steps.map(({ waiting }) => waiting)).toEqual([0, 4])
  await dispatch(hours(25))
  await reply(campaign_id, [3], hours(30))

  const body = await analyticsOf(owner, campaign_id)
  expect(body.leads).toEqual({
    total: 6,
    contacted: 5,
    opened: null,
    clicked: null,
    invited: null,
    accepted: null,
    replied: 2,
    bounced: 1,
    unsubscribed: 0,
    failed: 0,
    completed: 3,
    skipped: 0,
    waiting: 0,
    uncertain: 1,
  })
  expect(body.reply_rate).toMatchObject({ numerator: 2, denominator: 5, rate: 0.4 })
  expect(body.bounce_rate).toMatchObject({ numerator: 1, denominator: 6 })
  expect(body.steps).toMatchObject([
    { step: 1, sent: 4, uncertain: 1, failed: 1, replied: 1, bounced: 1, reply_rate: { denominator: 5 } },
    { step: 2, sent: 4, uncertain: 0, failed: 0, replied: 1, bounced: 0, reply_rate: { denominator: 4 } },
  ])
  // 23:30 UTC is half past midnight in Berlin: the window day is the one on which the window opened.
  expect(body.days).toMatchObject([
    { date: '2026-03-02', sent: 4, uncertain: 1, failed: 1, replied: 1, bounced: 1 },
    { date: '2026-03-03', sent: 4, replied: 1 },
  ])
})

test('who was stopped after something was sent to them was contacted, and nobody else who was stopped', async () => {
  const { owner, campaign_id } = await launched(3, [{ subject: 'Hello', message_template: 'Hello' }], {
    daily_limit: 2,
  })
  await dispatch(MONDAY)
  const leads = await db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
  const ids = leads.flatMap(({ lead_index, campaign_lead_id }) => (lead_index > 0 ? [campaign_lead_id] : []))
  await db.campaignLead.updateMany({
    where: { campaign_lead_id: { in: ids } },
    data: { status: 'skipped', next_step: null, next_action_at: null, last_event: 'stopped' },
  })
  const body = await analyticsOf(owner, campaign_id)
  expect(body.leads).toMatchObject({ total: 3, contacted: 2, skipped: 2 })
  expect(body.reply_rate).toMatchObject({ denominator: 2 })
  const { campaigns } = await listCampaigns(owner, ListCampaigns.query.parse({}))
  const rates = await readListedRates(owner.workspace_id, campaigns)
  expect(rates.get(campaign_id)?.reply_rate).toEqual(body.reply_rate)
})

test('variants are compared by what they sent, and the one without use is left out of it', async () => {
  const owner = await aUser()
  const { template_id } = await aTemplate(owner)
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 40)
  const variants = ['A', 'B', 'C'].map((label, index) => ({
    label,
    weight: index === 2 ? 0 : 1,
    template_id,
  }))
  const { campaign_id } = await aCampaign(owner, { ...open, dataset_id, steps_config: [{ variants }] })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  await dispatch(MONDAY)
  const actions = await db.action.findMany({ where: { campaign_id }, include: { lead: true } })
  const ofB = actions.filter((action) => action.variant_label === 'B')
  await reply(
    campaign_id,
    ofB.map((action) => action.lead.lead_index),
    hours(1),
  )
  const [step] = (await analyticsOf(owner, campaign_id)).steps
  expect(step?.variants).toMatchObject([
    { label: 'A', weight: 1, sent: 40 - ofB.length, replied: 0 },
    { label: 'B', weight: 1, sent: ofB.length, replied: ofB.length, reply_rate: { rate: 1, high: 1 } },
    { label: 'C', weight: 0, sent: 0, probability_best: null },
  ])
  expect(step?.comparison).toMatchObject({ leader: 'B', settled: true, more_sends: 0 })
  expect(step?.comparison?.probability).toBeGreaterThan(0.99)
})

test('404 for another owner’s campaign', async () => {
  const { campaign_id } = await aCampaign(await aUser())
  const { status, error } = await call(ReadCampaignAnalytics, { as: await aUser(), params: { campaign_id } })
  expect(status).toBe(404)
  expect(error.detail).toBe('campaign_not_found')
})

test('of some days counts what left on them, and what came of it whenever it came', async () => {
  const { owner, campaign_id } = await launched(6, [
    { subject: 'Hello', message_template: 'Hello {{ first_name }}' },
    { delay_days: 1, message_template: 'Again' },
  ])
  await dispatch(MONDAY)
  await reply(campaign_id, [2], hours(10))
  await dispatch(hours(25))
  await reply(campaign_id, [3, 4], hours(30))
  const of = async (query: { from?: string; to?: string }) => {
    const { status, body } = await call(ReadCampaignAnalytics, { as: owner, params: { campaign_id }, query })
    expect(status).toBe(200)
    return body
  }

  // A mail after midnight belongs to the day on which its window opened.
  const first = await of({ to: '2026-03-02' })
  expect(first).toMatchObject({
    from: null,
    to: '2026-03-02',
    leads: { total: 6, contacted: 6, replied: 1 },
    reply_rate: { numerator: 1, denominator: 6 },
    steps: [
      { sent: 6, replied: 1 },
      { sent: 0, reply_rate: { rate: null } },
    ],
    days: [{ date: '2026-03-02', sent: 6 }],
  })
  const second = await of({ from: '2026-03-03', to: '2026-03-03' })
  expect(second).toMatchObject({
    leads: { total: 5, contacted: 5, replied: 2, completed: 3, waiting: 0 },
    reply_rate: { numerator: 2, denominator: 5 },
    steps: [{ sent: 0 }, { sent: 5, replied: 2 }],
    days: [{ date: '2026-03-03', sent: 5 }],
  })
  expect(await of({ from: '2026-03-02', to: '' })).toMatchObject({
    to: null,
    leads: { total: 6, contacted: 6, replied: 3, completed: 3, waiting: 0 },
  })
  expect(await of({ from: '0000-01-01', to: '9999-12-31' })).toMatchObject({ leads: { contacted: 6 } })
})

test('422 for days in the wrong order, in the words of the analytics of all campaigns', async () => {
  const as = await aUser()
  const query = { from: '2026-12-01', to: '2026-01-01' }
  const params = { campaign_id: crypto.randomUUID() }
  const { status, error } = await call(ReadCampaignAnalytics, { as, params, query })
  const ofAll = await call(ReadWorkspaceAnalytics, { as, query })
  expect([status, error.details]).toEqual([422, ofAll.error.details])
  expect(error.details).toMatchObject([{ loc: ['query', 'to'], msg: 'must not be before `from`' }])
})
