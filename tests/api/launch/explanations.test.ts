import { afterEach, expect, test } from 'vitest'
import { ExplainCampaign } from '#lib/contracts/campaigns/explanations'
import { db } from '#lib/db/client'
import { explainCampaign, explainCampaigns } from '#lib/services/forecast/explanations'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

type Change = Parameters<typeof db.campaign.update>[0]['data']

async function explained(fields: Record<string, unknown>, at: Date, change: Change = {}) {
  const { owner, campaign_id } = await launched(fields)
  await db.campaign.update({ where: { campaign_id }, data: change })
  return explainCampaign(owner.workspace_id, campaign_id, at)
}

test('it names the rule that holds a campaign, what it is set to, and the instant it ends', async () => {
  const hours = { sending_window_start: '12:00', sending_window_end: '13:00' }
  expect(await explained(hours, minutes(0))).toMatchObject({
    code: 'window',
    until: minutes(120),
    params: { sending_window_start: '12:00:00', timezone: 'UTC' },
  })
  expect(await explained({ send_days: ['wed'] }, minutes(0))).toMatchObject({
    code: 'send_days',
    until: new Date('2026-03-04T00:00:00.000Z'),
  })
  expect(await explained({ steps_config: [{ ...FIRST, delay_days: 2 }] }, minutes(0))).toMatchObject({
    code: 'delay',
    until: minutes(2 * 24 * 60),
  })
  expect(await explained({}, minutes(0))).toMatchObject({ code: 'due_now', until: MONDAY })
})

test('limits that were used up are named after what was sent', async () => {
  const spent = await launched({ daily_limit: 1 })
  const paced = await launched({ min_interval_seconds: 600 })
  const waits = await launched()
  const mail = await dispatchAt(MONDAY)
  expect(mail.offered).toBe(5)
  const explain = ({ owner, campaign_id }: typeof spent) =>
    explainCampaign(owner.workspace_id, campaign_id, minutes(1))
  expect(await explain(spent)).toMatchObject({ code: 'daily_limit', params: { daily_limit: 1 } })
  expect(await explain(paced)).toMatchObject({ code: 'min_interval' })
  expect(await explain(waits)).toMatchObject({ code: 'delay', until: minutes(24 * 60) })
  const other = await aMailbox(waits.owner)
  await db.campaign.update({
    where: { campaign_id: waits.campaign_id },
    data: { alias_ids: [other.mailbox_id] },
  })
  expect(await explain(waits)).toMatchObject({ code: 'no_sender', until: null })
})

test.each<[Change, object]>([
  [
    { status: 'paused', paused_from: 'active', paused_reason: 'bounce_rate' },
    { code: 'paused', until: null, params: { paused_reason: 'bounce_rate' } },
  ],
  [
    { status: 'scheduled', start_date: minutes(60) },
    { code: 'not_running', until: minutes(60), params: { status: 'scheduled' } },
  ],
  [{ status: 'failed', launch_error: 'No mailbox.' }, { message: 'The launch failed: No mailbox.' }],
  [{ status: 'completed' }, { code: 'not_running', message: 'All leads have finished.' }],
])('what does not run says so: %j', async (change, reason) => {
  expect(await explained({}, MONDAY, change)).toMatchObject(reason)
})

test('the instant is when dispatch next sends', async () => {
  const { owner, campaign_id } = await launched({ min_interval_seconds: 600, daily_limit: 2 }, 5)
  for (let at = MONDAY, rounds = 0; rounds < 6; rounds++) {
    expect((await dispatchAt(at)).offered).toBe(1)
    const { until } = await explainCampaign(owner.workspace_id, campaign_id, new Date(at.getTime() + 1))
    expect(until?.getTime()).toBeGreaterThan(at.getTime())
    if (!until) return
    expect((await dispatchAt(new Date(until.getTime() - 1))).offered).toBe(0)
    at = until
  }
})

test('a page of campaigns is explained together, each as it is alone, and only the owner’s', async () => {
  const mine = await launched({ daily_limit: 1 })
  const draft = await aCampaign(mine.owner)
  const strange = await launched()
  const ids = [mine.campaign_id, draft.campaign_id, strange.campaign_id]
  const page = await explainCampaigns(mine.owner.workspace_id, ids, minutes(1))
  expect([...page.keys()].sort()).toEqual([mine.campaign_id, draft.campaign_id].sort())
  for (const [id, reason] of page)
    expect(reason).toEqual(await explainCampaign(mine.owner.workspace_id, id, minutes(1)))
})

test('the API answers it for the owner and 404 for others', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner)
  const { status, body } = await call(ExplainCampaign, { as: owner, params: campaign })
  expect(status).toBe(200)
  expect(body).toEqual({
    code: 'not_running',
    message: 'The campaign has not been launched.',
    until: null,
    params: { status: 'draft' },
  })
  expect((await call(ExplainCampaign, { as: await aUser(), params: campaign })).status).toBe(404)
})
