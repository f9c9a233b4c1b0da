import { expect, test } from 'vitest'
import { startWords } from '#components/campaigns/start-words'

// A Sunday evening in Berlin, and already Monday in Tokyo.
const NOW = Date.parse('2026-11-22T19:30:00Z')

test.each([
  ['2026-11-22T20:15:00Z', 'Europe/Berlin', 'today at 21:15 in Berlin'],
  ['2026-11-23T08:00:00Z', 'Europe/Berlin', 'tomorrow at 09:00 in Berlin'],
  ['2026-11-23T00:00:00Z', 'Asia/Tokyo', 'today at 09:00 in Tokyo'],
  ['2026-11-25T14:00:00Z', 'America/New_York', 'on Wednesday 25 November at 09:00 in New York'],
  ['2026-11-23T09:00:00Z', 'UTC', 'tomorrow at 09:00 in UTC'],
])('a start at %s is said in %s as “%s”', (at, zone, words) => {
  expect(startWords(at, NOW, zone)).toBe(words)
})

test('what leaves within a minute leaves now', () => {
  expect(startWords('2026-11-22T19:30:59Z', NOW, 'UTC')).toBeNull()
  expect(startWords(null, NOW, 'UTC')).toBeNull()
})
