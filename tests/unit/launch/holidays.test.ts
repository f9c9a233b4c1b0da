import { expect, test } from 'vitest'
import { compileSchedule, nextOpen, SEND_DAYS, upcomingHolidays } from '#lib/domain/calendar/schedule'
import { formatDay, parseDay } from '#lib/domain/calendar/zoned-time'
import { explainWait } from '#lib/domain/forecast/explain-wait'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { loadHolidays } from '#lib/services/campaigns/days/holidays'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const UNITY = 'Tag der Deutschen Einheit'
const rules = {
  timezone: 'Europe/Berlin',
  sending_window_start: '09:00',
  sending_window_end: '17:00',
  send_days: [...SEND_DAYS],
  holidays: (day: number) => (formatDay(day) === '2026-10-03' ? UNITY : null),
}

test.each([
  ['on the eve', '2026-10-02T14:59:59Z', '2026-10-02T14:59:59Z'],
  ['after the eve has closed', '2026-10-02T15:00:00Z', '2026-10-04T07:00:00Z'],
  ['on the day', '2026-10-03T10:00:00Z', '2026-10-04T07:00:00Z'],
])('the next window %s', (_name, at, open) => {
  expect(nextOpen(compileSchedule(rules), Date.parse(at))).toBe(Date.parse(open))
})

test('a window over midnight belongs to the day it opened, so it goes on into the holiday', () => {
  const night = compileSchedule({ ...rules, sending_window_start: '22:00', sending_window_end: '02:00' })
  expect(nextOpen(night, Date.parse('2026-10-02T23:00:00Z'))).toBe(Date.parse('2026-10-02T23:00:00Z'))
  expect(nextOpen(night, Date.parse('2026-10-03T20:00:00Z'))).toBe(Date.parse('2026-10-04T20:00:00Z'))
})

test('the explanation names the holiday', () => {
  const campaign = {
    ...rules,
    campaign_id: '0197c1de-5a3b-7c43-9f00-2d6d2f1c5a11',
    daily_limit: 50,
    min_interval_seconds: 0,
    steps_config: [{ delay_days: 0, action_type: 'email', channel: 'email' as const }],
    launched_at: Date.parse('2026-10-03T08:00:00Z'),
    holiday_country: 'DE',
  }
  const input = {
    campaign,
    pace: FRESH_PACE,
    senders: [aSender('mailbox')],
    owner_timezone: 'UTC',
    follow_ups: [],
    new_leads: [0],
  }
  const now = Date.parse('2026-10-03T10:00:00Z')
  expect(explainWait({ status: 'active', paused_reason: null }, input, now)).toMatchObject({
    code: 'holiday',
    until: Date.parse('2026-10-04T07:00:00Z'),
    params: { holiday: UNITY, date: '2026-10-03', holiday_country: 'DE', timezone: 'Europe/Berlin' },
    message: `Sat 3 Oct 2026 is a holiday: ${UNITY}.`,
  })
})

test('holidays on days that do not send anyway are not told', () => {
  const from = parseDay('2026-09-01')
  expect(upcomingHolidays(rules, from, 3)).toEqual([{ day: parseDay('2026-10-03'), name: UNITY }])
  expect(upcomingHolidays({ ...rules, send_days: ['mon'] }, from, 3)).toEqual([])
})

test.each([
  ['DE', null, '2026-10-03', UNITY],
  ['DE', null, '2026-06-04', null],
  ['DE', 'BY', '2026-06-04', 'Fronleichnam'],
  ['US', null, '2026-07-04', 'Independence Day'],
  ['DE', null, '2026-12-24', null],
  ['DE', null, '2101-10-03', null],
])('%s %s on %s: %s', async (holiday_country, holiday_region, date, name) => {
  const names = await loadHolidays({ holiday_country, holiday_region })
  expect(names?.(parseDay(date))).toBe(name)
})

test('without a country there are none', async () => {
  expect(await loadHolidays({ holiday_country: null, holiday_region: null })).toBeNull()
})
