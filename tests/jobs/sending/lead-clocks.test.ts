import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { leadTimeline } from '#lib/services/forecast/lead-timelines'
import { sendNowOnce } from '#lib/services/launch/open-once'
import { resumeLeads, stopLeads } from '#lib/services/leads/stops'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import {
  clocks,
  drafted,
  FIRST,
  launchedByClocks,
  MONDAY,
  performed,
  planned,
  playOut,
} from '#tests/support/scenes/launched'

const ADA = { first_name: 'Ada', country: 'United States', city: 'New York' }
const BEN = { first_name: 'Ben', phone: '+81 3 1234 5678' }
const CY = { first_name: 'Cy', timezone: 'Europe/London' }
const DEE = { first_name: 'Dee' }

test('each lead is written to in its own hours, as the forecast said before the launch and after it', async () => {
  const people = [ADA, BEN, CY, DEE]
  const expected = [
    'Cy 1 2026-03-02T10:00',
    'Dee 1 2026-03-02T10:00',
    'Ada 1 2026-03-02T14:00',
    'Ben 1 2026-03-03T00:00',
  ]
  const draft = await drafted({}, people)
  expect(await planned(draft.owner.workspace_id, draft.campaign_id)).toEqual(expected)
  const { owner, campaign_id } = await launchedByClocks({}, people)
  expect(await planned(owner.workspace_id, campaign_id)).toEqual(expected)
  expect(await clocks(campaign_id)).toEqual({
    Ada: ['America/New_York', 'city'],
    Ben: ['Asia/Tokyo', 'phone'],
    Cy: ['Europe/London', 'timezone'],
    Dee: ['Europe/Berlin', null],
  })
  expect(await playOut(campaign_id)).toEqual(expected)
})

test('a delay counts days of the lead’s clock, so that a narrow window is not missed when its clocks change', async () => {
  const steps_config = [FIRST, { delay_days: 7, message_template: 'Again' }]
  const fields = { timezone: 'Asia/Tokyo', sending_window_end: '09:15', steps_config }
  const { owner, campaign_id } = await launchedByClocks(fields, [ADA, BEN])
  const expected = [
    'Ada 1 2026-03-02T14:00',
    'Ben 1 2026-03-03T00:00',
    // Clocks in New York went forward on the 8th.
    'Ada 2 2026-03-09T13:00',
    'Ben 2 2026-03-10T00:00',
  ]
  expect(await planned(owner.workspace_id, campaign_id)).toEqual(expected)
  expect(await playOut(campaign_id)).toEqual(expected)
})

test('new leads who are not due yet by their clocks do not stand before those who are', async () => {
  const fields = {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    steps_config: [{ ...FIRST, delay_days: 7 }],
  }
  const { campaign_id } = await launchedByClocks(fields, [CY, { ...CY, first_name: 'Di' }, ADA])
  // Clocks in New York went forward on the 8th: Ada's seven days end an hour before London's.
  const due = new Date('2026-03-09T09:00:00Z')
  const claimAt = (at: Date) => claimDueCampaign(pool(), 'test', at, 1)
  const first = await claimAt(due)
  expect(first?.campaign.campaign_id).toBe(campaign_id)
  expect(first?.actions.map(({ lead }) => lead.lead_index)).toEqual([2])
  // No other lead is due: one claim finds that out, without repetition.
  const second = await claimAt(due)
  expect(second?.actions ?? []).toEqual([])
  expect(second?.goes_on ?? false).toBe(false)
  const { next_slot_at } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(next_slot_at).toEqual(new Date('2026-03-09T10:00:00Z'))
})

test('the daily limit counts the campaign’s dates over all clocks, and what did not leave is given back to them', async () => {
  const people = [ADA, BEN, CY, DEE].flatMap((one) => [
    { ...one, first_name: `${one.first_name}x` },
    { ...one, first_name: `${one.first_name}y` },
  ])
  const { owner, campaign_id } = await launchedByClocks({ daily_limit: 3 }, people)
  // Berlin's 2 March ends at 23:00 UTC, an hour before Tokyo opens.
  const expected = [
    'Cyx 1 2026-03-02T10:00',
    'Cyy 1 2026-03-02T10:00',
    'Deex 1 2026-03-02T10:00',
    'Benx 1 2026-03-03T00:00',
    'Beny 1 2026-03-03T00:00',
    'Deey 1 2026-03-03T08:00',
    'Adax 1 2026-03-04T14:00',
    'Aday 1 2026-03-04T14:00',
  ]
  expect(await planned(owner.workspace_id, campaign_id)).toEqual(expected)
  let refused = false
  const mail = memoryMail((message) => {
    if (refused || !message.to.address.includes('benx')) return ACCEPTED
    refused = true
    return {
      outcome: 'refused_for_now',
      response: '451 Later',
      stage: 'rcpt',
      code: 451,
      enhanced: null,
      blames: 'recipient',
    }
  })
  const later = expected.with(3, 'Beny 1 2026-03-03T00:00').with(4, 'Benx 1 2026-03-03T00:05')
  expect(await playOut(campaign_id, mail)).toEqual(later)
})

test('why nothing leaves is said by the clock of the lead that comes next', async () => {
  const { owner, campaign_id } = await launchedByClocks({}, [ADA, BEN])
  expect(await explainCampaign(owner.workspace_id, campaign_id, MONDAY)).toMatchObject({
    code: 'window',
    until: new Date('2026-03-02T14:00:00.000Z'),
    params: { timezone: 'America/New_York' },
    message: 'The sending window is closed in the time zone of every due lead.',
  })
  const saturday = new Date('2026-03-07T12:00:00.000Z')
  expect(await explainCampaign(owner.workspace_id, campaign_id, saturday)).toMatchObject({
    code: 'send_days',
    until: new Date('2026-03-09T00:00:00.000Z'),
    params: { timezone: 'Asia/Tokyo' },
  })
})

test('a holiday is one by the lead’s own date', async () => {
  // Friday, 1 May: a holiday that has begun in Tokyo while it is still Thursday in New York.
  const fields = { holiday_country: 'DE', sending_window_start: '00:00', sending_window_end: '00:00' }
  const { owner, campaign_id } = await launchedByClocks(fields, [ADA, BEN])
  const thursday = new Date('2026-04-30T20:00:00.000Z')
  expect(await planned(owner.workspace_id, campaign_id, thursday)).toEqual([
    'Ada 1 2026-04-30T20:00',
    'Ben 1 2026-05-03T15:00',
  ])
})

test('a lead that was stopped goes on by its own clock, and its timeline says which that is', async () => {
  const steps_config = [FIRST, { delay_days: 1, message_template: 'Again' }]
  const { owner, campaign_id } = await launchedByClocks({ steps_config }, [ADA])
  const { campaign_lead_id } = await db.campaignLead.findFirstOrThrow({
    where: { campaign_id },
    orderBy: { lead_index: 'asc' },
  })
  await stopLeads(owner.workspace_id, campaign_id, [campaign_lead_id], MONDAY)
  await resumeLeads(owner.workspace_id, campaign_id, [campaign_lead_id], MONDAY)
  const { events } = await leadTimeline(owner.workspace_id, campaign_id, campaign_lead_id, MONDAY)
  expect(events[0]).toMatchObject({
    kind: 'enrolled',
    detail: { timezone: 'America/New_York', timezone_source: 'city' },
  })
  expect(events.filter(({ kind }) => kind === 'planned').map(({ at }) => at.toISOString())).toEqual([
    '2026-03-02T14:00:00.000Z',
    '2026-03-03T14:00:00.000Z',
  ])
  expect(await playOut(campaign_id)).toEqual(['Ada 1 2026-03-02T14:00', 'Ada 2 2026-03-03T14:00'])
})

test('by the clocks of leads nothing is opened once for all of them', async () => {
  const { owner, campaign_id } = await launchedByClocks({}, [ADA])
  await expect(sendNowOnce(owner.workspace_id, campaign_id, MONDAY)).rejects.toMatchObject({
    code: 'invalid_state',
  })
  expect(await performed(campaign_id)).toEqual([])
})
