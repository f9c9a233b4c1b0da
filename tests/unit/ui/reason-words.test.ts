import { expect, test } from 'vitest'
import { reasonWords } from '../../../components/leads/lead-words.tsx'

test.each([
  ['paused', 'user', 'manually'],
  ['paused', 'bounce_rate', 'too many addresses bounced'],
  ['skipped', 'row_removed', 'row removed'],
  ['failed', 'No value and no fallback for first_name', 'No value and no fallback for first_name'],
  ['sent', null, null],
])('a reason of %s, %s, is told as %s', (kind, reason, told) => {
  expect(reasonWords({ kind, reason })).toBe(told)
})
