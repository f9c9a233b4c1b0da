import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ARM_WITHIN_MS, armAt, LOST_MS } from '#lib/domain/sending/wake'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const NOW = Date.UTC(2026, 2, 2, 9)
const FREE = { armed_for: null, rung_at: null }

test.each([
  ['nothing is due', FREE, null, 0, null],
  ['what is due now rings now', FREE, NOW, 0, NOW],
  ['what is overdue rings now', FREE, NOW - 5 * SECOND, 0, NOW],
  ['what is due later rings then', FREE, NOW + 10 * MINUTE, 0, NOW + 10 * MINUTE],
  ['what the sweep will see in time is left to it', FREE, NOW + ARM_WITHIN_MS + 1, 0, null],
  [
    'a bell that rings in time is not armed again',
    { armed_for: NOW + MINUTE, rung_at: null },
    NOW + MINUTE,
    0,
    null,
  ],
  [
    'one that rings too late is armed for earlier',
    { armed_for: NOW + MINUTE, rung_at: null },
    NOW + SECOND,
    0,
    NOW + SECOND,
  ],
  ['one whose time is just over is on its way', { armed_for: NOW - LOST_MS, rung_at: null }, NOW, 0, null],
  ['one whose time is long over is lost', { armed_for: NOW - LOST_MS - 1, rung_at: null }, NOW, 0, NOW],
  [
    'between two rings lies a pause',
    { armed_for: null, rung_at: NOW - 10 * SECOND },
    NOW,
    45 * SECOND,
    NOW + 35 * SECOND,
  ],
  ['a pause that is over delays nothing', { armed_for: null, rung_at: NOW - MINUTE }, NOW, 45 * SECOND, NOW],
  [
    'what is due after the pause rings when it is due',
    { armed_for: null, rung_at: NOW },
    NOW + MINUTE,
    45 * SECOND,
    NOW + MINUTE,
  ],
  [
    'a clock that is ahead elsewhere lengthens no pause',
    { armed_for: null, rung_at: NOW + 5 * MINUTE },
    NOW,
    45 * SECOND,
    NOW + 45 * SECOND,
  ],
  [
    'what stays due for an hour is tried each quarter',
    { armed_for: null, rung_at: NOW },
    NOW - 60 * MINUTE,
    0,
    NOW + 15 * MINUTE,
  ],
])('%s', (_, bell, due, pause, at) => {
  expect(armAt(bell, due, NOW, pause)).toBe(at)
})

const instant = fc.integer({ min: NOW - 3 * 3_600_000, max: NOW + 3 * 3_600_000 })
const bells = fc.record({ armed_for: fc.option(instant), rung_at: fc.option(instant) })
const pauses = fc.integer({ min: 0, max: 50 * SECOND })

test('whatever the bell was, work that has just become due is begun within a minute, or within the sweep’s reach', () => {
  fc.assert(
    fc.property(bells, instant, pauses, (bell, due, pause) => {
      fc.pre(due > NOW - MINUTE)
      const at = armAt(bell, due, NOW, pause) ?? bell.armed_for
      if (Math.max(due, NOW) > NOW + ARM_WITHIN_MS - MINUTE) return
      expect(at).not.toBeNull()
      // A bell that is on its way may have been armed up to a minute ago.
      expect(at).toBeLessThanOrEqual(Math.max(due, NOW) + MINUTE)
      expect(at).toBeGreaterThanOrEqual(NOW - LOST_MS)
    }),
  )
})

test('armed once, it is not armed again for the same work', () => {
  fc.assert(
    fc.property(instant, pauses, (due, pause) => {
      const at = armAt(FREE, due, NOW, pause)
      if (at !== null) expect(armAt({ armed_for: at, rung_at: null }, due, NOW, pause)).toBeNull()
    }),
  )
})
