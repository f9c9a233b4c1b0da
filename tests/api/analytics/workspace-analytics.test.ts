import { afterEach, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ReadWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
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

/** As the inbox does it: the lead is over, its remaining steps are dropped. */
const end = (campaign_id: string, lead_index: number, status: 'replied' | 'unsubscribed', at: Date) =>
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
  // The second steps of the others leave on the next day.
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
  expect(body.reply_hours).toEqual({ median: 2, p90: 2 })
  expect(body.campaigns.map(({ campaign_id: id, sent, contacted }) => [id, sent, contacted])).toEqual([
    [campaign_id, 5, 3],
    [other.campaign_id, 3, 2],
  ])
  expect(body.senders).toMatchObject([{ sender_id: mailbox.mailbox_id, kind: 'mailbox', ...sums }])
  expect(body.datasets).toHaveLength(2)
  expect(body.members).toMatchObject([{ user_id: owner.user_id, ...sums }])

  // One definition each: what a campaign's own results say is what it says here.
  const own = await call(ReadCampaignAnalytics, { as: owner, params: { campaign_id } })
  expect(body.campaigns[0]).toMatchObject({
    contacted: own.body.leads.contacted,
    reply_rate: own.body.reply_rate,
    bounce_rate: own.body.bounce_rate,
  })
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

test('422 for days in the wrong order', async () => {
  const query = { from: '2026-03-04', to: '2026-03-01' }
  expect((await call(ReadWorkspaceAnalytics, { as: await aUser(), query })).status).toBe(422)
})
