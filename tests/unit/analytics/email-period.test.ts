import { expect, test } from 'vitest'
import { lastPeriod, nextDue, type Rhythm } from '#lib/domain/analytics/email-period'
import { loadZone } from '#lib/domain/calendar/zoned-time'

const berlin = loadZone('Europe/Berlin')
const at = (iso: string) => new Date(iso)

test.each<[name: string, rhythm: Rhythm, now: string, from: string, to: string, due: string, next: string]>([
  [
    'a week, in its first minute',
    'weekly',
    '2026-03-02T07:00Z',
    '2026-02-23',
    '2026-03-01',
    '2026-03-02T07:00Z',
    '2026-03-09T07:00Z',
  ],
  [
    'a week, a minute too early',
    'weekly',
    '2026-03-02T06:59Z',
    '2026-02-16',
    '2026-02-22',
    '2026-02-23T07:00Z',
    '2026-03-02T07:00Z',
  ],
  [
    'a week, on its Sunday',
    'weekly',
    '2026-03-08T22:00Z',
    '2026-02-23',
    '2026-03-01',
    '2026-03-02T07:00Z',
    '2026-03-09T07:00Z',
  ],
  [
    'over the change to summer time',
    'weekly',
    '2026-03-24T12:00Z',
    '2026-03-16',
    '2026-03-22',
    '2026-03-23T07:00Z',
    '2026-03-30T06:00Z',
  ],
  [
    'a month',
    'monthly',
    '2026-03-01T07:00Z',
    '2026-02-01',
    '2026-02-28',
    '2026-03-01T07:00Z',
    '2026-04-01T06:00Z',
  ],
  [
    'a month, on its first before eight',
    'monthly',
    '2026-03-01T06:59Z',
    '2026-01-01',
    '2026-01-31',
    '2026-02-01T07:00Z',
    '2026-03-01T07:00Z',
  ],
  [
    'over the turn of the year',
    'monthly',
    '2026-01-15T12:00Z',
    '2025-12-01',
    '2025-12-31',
    '2026-01-01T07:00Z',
    '2026-02-01T07:00Z',
  ],
])('%s', (_, rhythm, now, from, to, due, next) => {
  expect(lastPeriod(rhythm, berlin, at(now))).toEqual({
    from,
    to,
    due_at: at(due),
    period: `${rhythm} ${from}`,
  })
  expect(nextDue(rhythm, berlin, at(now))).toEqual(at(next))
})

test('eight o’clock is that of the zone', () => {
  expect(nextDue('weekly', loadZone('Pacific/Auckland'), at('2026-03-04T00:00Z'))).toEqual(
    at('2026-03-08T19:00Z'),
  )
})
