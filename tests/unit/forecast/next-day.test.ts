import { expect, test } from 'vitest'
import { forecast } from '#lib/domain/forecast/forecast'
import { nextHours } from '#lib/domain/forecast/next-day'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import { aSender } from '#tests/support/scenes/campaign-arbitraries'

const HOUR_MS = 3_600_000
const FROM = Date.parse('2026-06-05T08:00:00Z')

const input = (leads: number, starts_at: number) => ({
  campaign: {
    campaign_id: 'c',
    timezone: 'Europe/Berlin',
    sending_window_start: '09:00:00',
    sending_window_end: '17:00:00',
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
    daily_limit: 40,
    min_interval_seconds: 900,
    steps_config: [{ delay_days: 0, channel: 'email', action_type: 'email' } as const],
    launched_at: FROM,
  },
  pace: FRESH_PACE,
  senders: [aSender('a'), aSender('b')],
  owner_timezone: 'UTC',
  follow_ups: [],
  new_leads: Array.from({ length: leads }, (_, index) => index),
  starts_at,
})

test.each([
  ['a short campaign, from a full hour', 3, 0],
  ['a long one, from within an hour', 500, 17 * 60_000],
])('the next hours by sender are the forecast, cut: %s', (_, leads, into) => {
  const asked = input(leads, FROM + into)
  const cut = nextHours(asked, FROM, 24)
  const whole = runToEnd(forecast(asked))
  const expected = Array.from({ length: 24 }, (_, hour) =>
    whole.at.reduce((sum, at) => sum + (Math.floor((at - FROM) / HOUR_MS) === hour ? 1 : 0), 0),
  )
  const summed = Array.from({ length: 24 }, (_, hour) =>
    [...cut.values()].reduce((sum, row) => sum + (row[hour] ?? 0), 0),
  )
  expect(summed).toEqual(expected)
  expect(expected.some((count) => count > 0)).toBe(true)
  for (const row of cut.values()) expect(row).toHaveLength(24)
})
