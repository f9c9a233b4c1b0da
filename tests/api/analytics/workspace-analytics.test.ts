import { afterEach, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { type AnalyticsFilters, ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAYS = { from: '2026-03-01', to: '2026-03-03' }
const HOUR = 60

/** As the inbox does it: the lead is over, and its remaining steps are dropped. */
const end = (
  campaign_id: string,
  lead_index: number,
  status: 'replied' | 'bounced' | 'unsubscribed',
  at: Date,
) =>
  db.campaignLead.updateMany({
    where: { campaign_id, lead_index },
    data: { status, next_step: null, next_action_at: null, next_action_type: null, last_event_at: at },
  })

test('all campaigns together: by day, hour, campaign, sender, list and member, each lead once', async () => {
  const { owner, mailbox, campaign_id } = await launched()
  const other = await launchedFor(owner, {}, 2)
  await dispatchAt(MONDAY)
  await end(campaign_id, 0, 'replied', minutes(2 * HOUR))
  await end(other.campaign_id, 1, 'unsubscribed', minutes(3 * HOUR))
  // The second steps of the other leads are sent on the next day.
  await dispatchAt(minutes(24 * HOUR))

  const { body } = await call(ReadWorkspaceAnalytics, { as: owner, query: DAYS })
  const sums = { sent: 8, contacted: 5, replied: 1, bounced: 0, unsubscribed: 1 }
  expect(body.totals).toMatchObject({ ...sums, reply_rate: { numerator: 1, denominator: 5 } })
  expect(body.previous).toMatchObject({ sent: 0, contacted: 0 })
  expect(body.days).toEqual([
    { date: '2026-03-01', sent: 0, replied: 0, bounced: 0, unsubscribed: 0 },
    { date: '2026-03-02', sent: 5, replied: 1, bounced: 0, unsubscribed: 1 },
    { date: '2026-03-03', sent: 3, replied: 0, bounced: 0, unsubscribed: 0 },
  ])
  expect(body.hours).toEqual(
    expect.arrayContaining([
      { weekday: 1, hour: 10, sent: 5, replied: 1 },
      { weekday: 2, hour: 10, sent: 3, replied: 0 },
    ]),
  )
  expect(body.reply_hours).toMatchObject({ median: 2, p75: 2, p90: 2 })
  expect(body.campaigns.map(({ campaign_id: id, sent, contacted }) => [id, sent, contacted])).toEqual([
    [campaign_id, 5, 3],
    [other.campaign_id, 3, 2],
  ])
  expect(body.senders).toMatchObject([{ sender_id: mailbox.mailbox_id, kind: 'mailbox', ...sums }])
  expect(body.datasets).toHaveLength(2)
  expect(body.members).toMatchObject([{ user_id: owner.user_id, ...sums }])

  // Each figure has one definition: it equals the one in the campaign's own results.
  const own = await call(ReadCampaignAnalytics, { as: owner, params: { campaign_id } })
  expect(body.campaigns[0]).toMatchObject({
    contacted: own.body.leads.contacted,
    reply_rate: own.body.reply_rate,
    bounce_rate: own.body.bounce_rate,
  })
})

test('time to reply: from the last message before it, of people alone, by how long they took', async () => {
  const { owner, campaign_id } = await launched({}, 8)
  await dispatchAt(MONDAY)
  await end(campaign_id, 0, 'replied', minutes(30))
  await end(campaign_id, 1, 'replied', minutes(HOUR))
  await end(campaign_id, 2, 'replied', minutes(4 * HOUR - 1))
  await end(campaign_id, 3, 'replied', minutes(23 * HOUR))
  await end(campaign_id, 4, 'bounced', minutes(1))
  await end(campaign_id, 5, 'unsubscribed', minutes(2))
  await dispatchAt(minutes(24 * HOUR))
  // Counted from the second message, not from the first; and one reply took more than a week.
  await end(campaign_id, 6, 'replied', minutes(24 * HOUR + 90))
  await end(campaign_id, 7, 'replied', minutes((24 + 200) * HOUR))

  const { body } = await call(ReadWorkspaceAnalytics, { as: owner, query: DAYS })
  expect(body.reply_hours.buckets).toEqual([
    { from: 0, to: 1, replies: 1 },
    { from: 1, to: 4, replies: 3 },
    { from: 4, to: 24, replies: 1 },
    { from: 24, to: 48, replies: 0 },
    { from: 48, to: 72, replies: 0 },
    { from: 72, to: 168, replies: 0 },
    { from: 168, to: null, replies: 1 },
  ])
  // The median of 0.5, 1, 1.5, 3.98, 23 and 200 hours.
  expect(body.reply_hours.median).toBeCloseTo((1.5 + 239 / 60) / 2, 5)
  expect(body.reply_hours.p75).toBeCloseTo(239 / 60 + 0.75 * (23 - 239 / 60), 5)
  expect(body.reply_hours.p90).toBeCloseTo((23 + 200) / 2, 5)
  expect(body.totals.replied).toBe(6)
})

test('an absence notice that came first is no reply: the time counts to the person', async () => {
  const { owner, campaign_id } = await launched({}, 1)
  await dispatchAt(MONDAY)
  const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
  await db.campaignLead.updateMany({
    where: { campaign_id },
    data: { last_event: 'automatic_reply', last_event_at: minutes(1) },
  })
  const absent = await call(ReadWorkspaceAnalytics, { as: owner, query: DAYS })
  expect(absent.body.reply_hours).toMatchObject({ median: null, p75: null, p90: null })
  expect(lead.status).toBe('active')
  await end(campaign_id, 0, 'replied', minutes(5 * HOUR))
  const { body } = await call(ReadWorkspaceAnalytics, { as: owner, query: DAYS })
  expect(body.reply_hours).toMatchObject({ median: 5, p90: 5 })
})

test('filters leave one campaign, dataset, sender or member, in every figure', async () => {
  const { owner, mailbox, campaign_id, dataset_id } = await launched()
  const other = await launchedFor(owner, {}, 2)
  await dispatchAt(MONDAY)
  await end(campaign_id, 0, 'replied', minutes(2 * HOUR))
  await end(other.campaign_id, 0, 'replied', minutes(6 * HOUR))
  const read = async (query: Partial<Record<keyof AnalyticsFilters, string>>) =>
    (await call(ReadWorkspaceAnalytics, { as: owner, query: { ...DAYS, ...query } })).body

  for (const query of [{ campaign_id }, { dataset_id }, { campaign_id, sender_id: mailbox.mailbox_id }]) {
    const body = await read(query)
    expect(body.totals).toMatchObject({ sent: 3, contacted: 3, replied: 1 })
    expect(body.reply_hours).toMatchObject({ median: 2, p90: 2 })
    expect(body.campaigns.map((one) => one.campaign_id)).toEqual([campaign_id])
    expect(body.days.find(({ date }) => date === '2026-03-02')).toMatchObject({ sent: 3, replied: 1 })
  }
  for (const query of [{ sender_id: mailbox.mailbox_id }, { user_id: owner.user_id }])
    expect((await read(query)).totals).toMatchObject({ sent: 5, replied: 2 })
  for (const query of [{ sender_id: campaign_id }, { user_id: campaign_id }, { campaign_id: dataset_id }])
    expect((await read(query)).totals).toMatchObject({ sent: 0, replied: 0 })
  // Campaigns of another workspace are not counted, even if their ids are given.
  const stranger = await call(ReadWorkspaceAnalytics, {
    as: await aUser(),
    query: { ...DAYS, campaign_id },
  })
  expect(stranger.body.totals.sent).toBe(0)
})

test('days are those of the workspace, and the days before them are compared', async () => {
  const { owner } = await launched()
  await dispatchAt(MONDAY)
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { timezone: 'Pacific/Auckland' },
  })
  const query = { from: '2026-03-04', to: '2026-03-05' }
  const { body } = await call(ReadWorkspaceAnalytics, { as: owner, query })
  expect(body).toMatchObject({ timezone: 'Pacific/Auckland', totals: { sent: 0 }, previous: { sent: 3 } })
  const stranger = await call(ReadWorkspaceAnalytics, { as: await aUser(), query: DAYS })
  expect(stranger.body).toMatchObject({ totals: { sent: 0 }, campaigns: [], senders: [] })
})

test('of the first days that there are, none before them is counted', async () => {
  const { status, body } = await call(ReadWorkspaceAnalytics, {
    as: await aUser(),
    query: { to: '0000-01-02' },
  })
  expect([status, body.from, body.days.length]).toEqual([200, '0000-01-01', 2])
})

test('422 for days in the wrong order', async () => {
  const query = { from: '2026-03-04', to: '2026-03-01' }
  expect((await call(ReadWorkspaceAnalytics, { as: await aUser(), query })).status).toBe(422)
})
