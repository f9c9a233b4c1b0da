import { expect, test } from 'vitest'
import { dayInWords, timeInWords } from '#lib/domain/calendar/day-words'

const LATE = Date.parse('2026-03-02T23:30:00.000Z')

test.each([
  ['UTC', 'Mon 2 Mar 2026', '23:30'],
  ['Europe/Berlin', 'Tue 3 Mar 2026', '00:30'],
  ['America/Los_Angeles', 'Mon 2 Mar 2026', '15:30'],
])('an instant in %s is told by the clock there', (timezone, day, time) => {
  expect(dayInWords(timezone, LATE)).toBe(day)
  expect(timeInWords(timezone, LATE)).toBe(`${day}, ${time} (${timezone})`)
})
