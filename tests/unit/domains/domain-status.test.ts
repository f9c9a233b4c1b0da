import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterCheck,
  type CheckResult,
  type DomainState,
  GIVEN_UP_MS,
  GRACE_MS,
  nextCheckAt,
} from '#lib/domain/domains/domain-status'
import { recordedCheck } from '#lib/domain/domains/record-check'

describe('the status of a domain', () => {
  const T0 = Date.UTC(2026, 0, 1)
  const HOUR = 3_600_000
  const fresh: DomainState = {
    status: 'pending',
    verified_at: null,
    failing_since: null,
    looked_for_since: T0,
    unanswered: 0,
  }
  const having = (state: DomainState, ...results: [CheckResult, number][]) =>
    results.reduce((now, [result, at]) => afterCheck(now, result, T0 + at), state)
  const verified = having(fresh, ['complete', HOUR])

  test('pending until DNS has answered, verifying while records are missing, verified with all', () => {
    expect(having(fresh, ['unanswered', 1]).status).toBe('pending')
    expect(having(fresh, ['incomplete', 1]).status).toBe('verifying')
    expect(verified).toMatchObject({ status: 'verified', verified_at: T0 + HOUR })
    expect(having(verified, ['complete', 9 * HOUR]).verified_at).toBe(T0 + HOUR)
  })

  test('what is missing for 14 days has failed, and comes back when the records do', () => {
    const failed = having(fresh, ['incomplete', 1], ['incomplete', GIVEN_UP_MS])
    expect(failed.status).toBe('failed')
    expect(having(failed, ['complete', GIVEN_UP_MS + HOUR]).status).toBe('verified')
    expect(
      having({ ...failed, looked_for_since: T0 + GIVEN_UP_MS }, ['incomplete', GIVEN_UP_MS + 1]).status,
    ).toBe('verifying')
  })

  test('a verified domain stays so for three days without a record, and recovers with it', () => {
    const failing = having(verified, ['incomplete', 2 * HOUR])
    expect(failing).toMatchObject({ status: 'verified', failing_since: T0 + 2 * HOUR })
    expect(having(failing, ['complete', 3 * HOUR])).toMatchObject({ status: 'verified', failing_since: null })
    expect(having(failing, ['incomplete', 2 * HOUR + GRACE_MS - 1]).status).toBe('verified')
    expect(having(failing, ['incomplete', 2 * HOUR + GRACE_MS]).status).toBe('failed')
  })

  test('however often DNS fails, the status stays', () => {
    const result = fc.constantFrom<CheckResult>('complete', 'incomplete', 'unanswered')
    fc.assert(
      fc.property(fc.array(fc.tuple(result, fc.nat(GIVEN_UP_MS * 3))), (steps) => {
        let state = fresh
        for (const [how, at] of steps.toSorted((a, b) => a[1] - b[1])) {
          const next = afterCheck(state, how, T0 + at)
          if (how === 'unanswered') expect({ ...next, unanswered: 0 }).toEqual({ ...state, unanswered: 0 })
          if (how === 'complete') expect(next.status).toBe('verified')
          if (state.status === 'verified' && next.status === 'failed')
            expect(T0 + at - (next.failing_since ?? T0 + at)).toBeGreaterThanOrEqual(GRACE_MS)
          expect(next.unanswered).toBe(how === 'unanswered' ? state.unanswered + 1 : 0)
          state = next
        }
      }),
    )
  })

  test('it is looked at often at first, then rarer, daily once in order, and never more than every five minutes', () => {
    const waits = (state: DomainState, at: number, key = false) =>
      (nextCheckAt(state, key, T0 + at) - T0 - at) / 60_000
    const verifying = having(fresh, ['incomplete', 1])
    expect(waits(verifying, 1)).toBe(5)
    expect(waits(verifying, 2 * HOUR)).toBe(30)
    expect(waits(verifying, 30 * HOUR)).toBe(360)
    expect(waits(verified, 2 * HOUR)).toBe(1_440)
    expect(waits(verified, 0, true)).toBe(5)
    expect(waits(having(verified, ['incomplete', 2 * HOUR]), 2 * HOUR)).toBe(60)
    expect(waits(having(fresh, ['incomplete', 1], ['incomplete', GIVEN_UP_MS]), GIVEN_UP_MS)).toBe(1_440)
    expect([1, 2, 3, 20].map((unanswered) => waits({ ...verified, unanswered }, 0))).toEqual([5, 10, 20, 360])
  })
})

test('a failure of DNS keeps what was known, with the failure beside it', () => {
  const known = recordedCheck(undefined, { answer: { status: 'found', found: ['x'], note: null } }, 'T1')
  expect(recordedCheck(known, { failure: 'timeout' }, 'T2')).toEqual({
    status: 'found',
    found: ['x'],
    note: null,
    checked_at: 'T1',
    failure: 'timeout',
  })
  expect(recordedCheck(undefined, { failure: 'timeout' }, 'T2')).toMatchObject({
    checked_at: null,
    status: 'missing',
  })
})
