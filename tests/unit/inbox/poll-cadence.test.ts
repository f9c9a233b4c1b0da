import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUnreadForGood, MARK_MS, nextPoll, SWEEP_MS } from '#lib/domain/inbox/poll-cadence'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 2, 2, 9)
const minutes = (since: number, failed = false) => {
  const at = nextPoll({ since: NOW - since, failed }, NOW)
  return at === null ? null : (at - NOW) / MINUTE
}

test.each([
  ['just after a mail', 0, 5],
  ['in the first hour', 59 * MINUTE, 5],
  ['after three hours', 3 * HOUR, 15],
  ['after six', 6 * HOUR, 30],
  ['after eleven', 11 * HOUR, 55],
  ['after twelve the sweep is often enough', 12 * HOUR, null],
  ['after a month too', 720 * HOUR, null],
])('%s: %s', (_, since, expected) => {
  expect(minutes(since)).toBe(expected)
})

test('a mailbox that never sent and never got anything is read by the sweep alone', () => {
  expect(nextPoll({ since: null }, NOW)).toBeNull()
})

test('a server that refuses is asked every ten minutes at most', () => {
  expect(minutes(0, true)).toBe(10)
})

test('a read falls on a whole mark, later than now and never later than the sweep; a longer silence brings none sooner', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 13 * HOUR }),
      fc.integer({ min: 0, max: HOUR }),
      fc.boolean(),
      (silence, offset, failed) => {
        const now = NOW + offset
        const next = nextPoll({ since: now - silence, failed }, now)
        if (next === null) return
        expect(next % MARK_MS).toBe(0)
        expect(next).toBeGreaterThan(now)
        expect(next - now).toBeLessThanOrEqual(SWEEP_MS)
        expect(next).toBeGreaterThanOrEqual(nextPoll({ since: now }, now) ?? 0)
      },
    ),
  )
})

test('one day of silence after a mail costs fewer than fifty reads', () => {
  let reads = 0
  for (let at = nextPoll({ since: NOW }, NOW); at !== null; at = nextPoll({ since: NOW }, at)) reads += 1
  expect(reads).toBeGreaterThan(20)
  expect(reads).toBeLessThan(50)
})

test.each([
  ['auth', 0, true],
  ['tls', 0, true],
  ['blocked', 0, true],
  ['connect', 14, false],
  ['lost', 14, false],
  ['resolve', 15, true],
])('%s for %d minutes is told of: %s', (reason, lasted, expected) => {
  expect(isUnreadForGood(reason, NOW - lasted * MINUTE, NOW)).toBe(expected)
})
