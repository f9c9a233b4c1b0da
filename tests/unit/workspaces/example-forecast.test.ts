import { expect, test } from 'vitest'
import { EXAMPLE, exampleForecast } from '../../../components/workspaces/sign-in/example-forecast.ts'

test.each([
  ['a weekday', '2026-06-03T08:00Z'],
  ['a Saturday night', '2026-06-06T23:00Z'],
  ['Christmas', '2026-12-25T12:00Z'],
])('the example of the sign-in page sends everything, launched on %s', (_, at) => {
  const { total_actions, days, warnings } = exampleForecast(Date.parse(at))
  expect(total_actions).toBe(EXAMPLE.leads * EXAMPLE.emails)
  expect(Math.max(...days.map(({ planned }) => planned))).toBeLessThanOrEqual(
    EXAMPLE.mailboxes * EXAMPLE.daily_limit,
  )
  expect(warnings).toEqual([])
})
