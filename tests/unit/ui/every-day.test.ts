import { expect, test } from 'vitest'
import { everyDay } from '../../../components/ui/plots/every-day.ts'

const blank = (date: string) => ({ date, sent: 0 })

test('days without anything stand between those with something, over ends of months and changes of clocks', () => {
  const days = [
    { date: '2026-03-27', sent: 3 },
    { date: '2026-03-30', sent: 1 },
    { date: '2026-04-01', sent: 2 },
  ]
  expect(everyDay(days, blank).map(({ date, sent }) => [date, sent])).toEqual([
    ['2026-03-27', 3],
    ['2026-03-28', 0],
    ['2026-03-29', 0],
    ['2026-03-30', 1],
    ['2026-03-31', 0],
    ['2026-04-01', 2],
  ])
})

test('no day is none, one is one, and an axis of years is left as it is', () => {
  expect(everyDay([], blank)).toEqual([])
  expect(everyDay([{ date: '2026-03-27', sent: 3 }], blank)).toEqual([{ date: '2026-03-27', sent: 3 }])
  const far = [
    { date: '1970-01-01', sent: 1 },
    { date: '2026-03-27', sent: 3 },
  ]
  expect(everyDay(far, blank)).toEqual(far)
})
