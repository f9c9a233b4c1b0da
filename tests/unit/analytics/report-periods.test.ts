import { expect, test } from 'vitest'
import { reportPeriods } from '#lib/domain/analytics/report-periods'
import { repliedName } from '#lib/domain/campaigns/replied-name'

const dayCounts = (date: string) => ({ date, sent: 10, replied: 2, bounced: 1, unsubscribed: 0 })
const datesFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  )

test('three weeks of days are shown as they are', () => {
  const periods = reportPeriods(datesFrom('2026-03-01', 21).map(dayCounts))
  expect(periods).toHaveLength(21)
  expect(periods[0]).toMatchObject({ from: '2026-03-01', to: '2026-03-01', sent: 10 })
})

test('more days are summed up by weeks from Monday, and nothing is lost', () => {
  // 2026-03-01 is a Sunday, and in some zones the clocks go forward on the 29th.
  const periods = reportPeriods(datesFrom('2026-03-01', 31).map(dayCounts))
  expect(periods.map(({ from, to }) => `${from} ${to}`)).toEqual([
    '2026-02-23 2026-03-01',
    '2026-03-02 2026-03-08',
    '2026-03-09 2026-03-15',
    '2026-03-16 2026-03-22',
    '2026-03-23 2026-03-29',
    '2026-03-30 2026-04-05',
  ])
  expect(periods.map(({ sent }) => sent)).toEqual([10, 70, 70, 70, 70, 20])
  expect(periods.reduce((sum, { replied }) => sum + replied, 0)).toBe(62)
})

test('no days are no periods', () => {
  expect(reportPeriods([])).toEqual([])
})

test.each([
  { cells: { first_name: ' Ada ', last_name: 'Lovelace\n', full_name: 'A. L.' }, name: 'Ada Lovelace' },
  { cells: { full_name: 'Grace Hopper' }, name: 'Grace Hopper' },
  { cells: { first_name: 'ada@example.com', last_name: 'Lovelace' }, name: 'Lovelace' },
  { cells: { full_name: 'ada@example.com' }, name: null },
  { cells: { email: 'ada@example.com', company: 'Analytical' }, name: null },
  { cells: { first_name: 7 }, name: null },
  { cells: {}, name: null },
])('a report names somebody by their name and never by an address: $name', ({ cells, name }) => {
  expect(repliedName(cells)).toBe(name)
})
