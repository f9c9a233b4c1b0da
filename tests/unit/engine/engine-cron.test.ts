import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextCron, parseCron } from '#lib/engine/cron'

const next = (cron: string, after: string) => nextCron(parseCron(cron), new Date(after))?.toISOString()

test.each([
  ['* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01:00.000Z'],
  ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30:00.000Z'],
  ['5/20 * * * *', '2026-01-01T00:06:00Z', '2026-01-01T00:25:00.000Z'],
  ['0 9-17/4 * * mon-fri', '2026-01-02T17:00:00Z', '2026-01-05T09:00:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 13 * fri', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
  ['0 0 * * 7', '2026-01-01T00:00:00Z', '2026-01-04T00:00:00.000Z'],
  ['@daily', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.000Z'],
  ['30 8 1 jan,jul *', '2026-01-01T08:30:00Z', '2026-07-01T08:30:00.000Z'],
  ['TZ=Europe/Paris 0 4 * * *', '2026-01-01T03:00:00Z', '2026-01-02T03:00:00.000Z'],
  ['TZ=Europe/Paris 0 4 * * *', '2026-07-01T03:00:00Z', '2026-07-02T02:00:00.000Z'],
  ['TZ=Asia/Kolkata 30 9 * * *', '2026-01-01T00:00:00Z', '2026-01-01T04:00:00.000Z'],
  // 02:30 does not exist on the day the clocks go forward, and occurs twice on the day they go back: the job runs once on either.
  ['TZ=Europe/Paris 30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['TZ=Europe/Paris 30 2 * * *', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['TZ=Europe/Paris 30 2 * * *', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['TZ=Europe/Paris 30 2 * * *', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  // An hourly job runs in every hour that exists.
  ['TZ=Europe/Paris 30 * * * *', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00.000Z'],
  ['TZ=Europe/Paris 30 * * * *', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00.000Z'],
  ['TZ=Australia/Lord_Howe 0 0 * * *', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00.000Z'],
])('%s after %s is %s', (cron, after, expected) => {
  expect(next(cron, after)).toBe(expected)
})

test('a date that never comes has no next time', () => {
  expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined()
})

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '5-1 * * * *',
  '*/0 * * * *',
  'a * * * *',
  '1-2-3 * * * *',
  'TZ=Mars/Base * * * * *',
])('refuses "%s"', (cron) => {
  expect(() => parseCron(cron)).toThrow(SyntaxError)
})

test('it skips no minute that matches and answers none that does not', () => {
  const fields = fc.record({
    minute: fc.integer({ min: 0, max: 59 }),
    hour: fc.integer({ min: 0, max: 23 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  const start = fc.date({ min: new Date('2026-01-01'), max: new Date('2029-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fields, start, ({ minute, hour, day }, after) => {
      const at = nextCron(parseCron(`${minute} ${hour} ${day} * *`), after)
      // In UTC the expected time is simple: this month's, or next month's.
      const here = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), day, hour, minute)
      const there = Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, day, hour, minute)
      expect(at?.getTime()).toBe(here > after.getTime() ? here : there)
    }),
  )
})
