import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { sendNowOnce } from '#lib/services/launch/open-once'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched } from '#tests/support/scenes/launched'

const OFFICE = {
  sending_window_start: '09:00',
  sending_window_end: '10:00',
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  timezone: 'UTC',
  daily_limit: 3,
  steps_config: [FIRST],
}
// It was launched at 10:00, when its window closed.
const EVENING = new Date('2026-03-02T20:00:00.000Z')
const NIGHT = new Date('2026-03-03T00:30:00.000Z')

const firstSends = async (owner: { workspace_id: string }, campaign_id: string, now: Date) => {
  const { actions } = await forecastCampaign(owner.workspace_id, campaign_id, { offset: 0, limit: 10 }, now)
  return actions.map((one) => new Date(one.at).toISOString().slice(0, 16))
}

test('a closed campaign sends now, just this once, within its limit, and as the forecast says', async () => {
  const { owner, campaign_id } = await launched(OFFICE, 5)
  expect((await dispatchAt(EVENING)).outbox).toHaveLength(0)
  expect(await explainCampaign(owner.workspace_id, campaign_id, EVENING)).toMatchObject({ code: 'window' })

  const opened = await sendNowOnce(owner.workspace_id, campaign_id, EVENING)

  expect(opened.open_until).toEqual(new Date('2026-03-03T00:00:00.000Z'))
  expect(await explainCampaign(owner.workspace_id, campaign_id, EVENING)).toMatchObject({ code: 'due_now' })
  const today = '2026-03-02T20:00'
  const tomorrow = '2026-03-03T09:00'
  expect(await firstSends(owner, campaign_id, EVENING)).toEqual([today, today, today, tomorrow, tomorrow])
  expect((await dispatchAt(EVENING)).outbox).toHaveLength(3)
  expect((await dispatchAt(NIGHT)).outbox).toHaveLength(0)
  expect((await dispatchAt(new Date(`${tomorrow}:00.000Z`))).outbox).toHaveLength(2)
  const log = await db.campaignEvent.findMany({ where: { campaign_id, kind: 'opened_once' } })
  expect(log.map((event) => event.detail)).toEqual([{ until: '2026-03-03T00:00:00.000Z' }])
})

test('what is not used of the opening is over with it', async () => {
  const { owner, campaign_id } = await launched(OFFICE, 5)
  await sendNowOnce(owner.workspace_id, campaign_id, EVENING)
  expect((await dispatchAt(NIGHT)).outbox).toHaveLength(0)
  expect(await firstSends(owner, campaign_id, NIGHT)).toContain('2026-03-03T09:00')
})

test('a campaign that is open, that is paused, or that is another’s is not opened', async () => {
  const { owner, campaign_id } = await launched(OFFICE)
  const open = new Date('2026-03-03T09:30:00.000Z')
  await expect(sendNowOnce(owner.workspace_id, campaign_id, open)).rejects.toMatchObject({
    code: 'invalid_state',
  })
  const stranger = await aUser()
  await expect(sendNowOnce(stranger.workspace_id, campaign_id, EVENING)).rejects.toMatchObject({
    code: 'campaign_not_found',
  })
  await pauseCampaign(owner.workspace_id, campaign_id, EVENING)
  await expect(sendNowOnce(owner.workspace_id, campaign_id, EVENING)).rejects.toMatchObject({
    code: 'invalid_state',
  })
  const { open_until } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(open_until).toBeNull()
})
