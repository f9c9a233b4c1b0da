import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyAt, leastKey, leastPlace, makeTournament, setKey } from '#lib/domain/sending/tournament'

test('the least is found whatever changes before, ties by the second number and then by place', () => {
  const key = fc.oneof(fc.nat(6), fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0.5))
  const change = fc.record({ place: fc.nat(), key, tie: fc.nat(3) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(change, { maxLength: 120 }), (count, changes) => {
      const tournament = makeTournament(count)
      const model = Array.from({ length: count }, () => ({ key: Number.POSITIVE_INFINITY, tie: 0 }))
      for (const { place, key, tie } of changes) {
        setKey(tournament, place % count, key, tie)
        model[place % count] = { key, tie }
        const [first] = [...model.entries()].sort(
          ([a, one], [b, other]) => compare(one.key, other.key) || one.tie - other.tie || a - b,
        )
        const [at, { key: least }] = first ?? [-1, { key: Number.NaN }]
        expect(leastKey(tournament)).toBe(least)
        if (least < Number.POSITIVE_INFINITY) expect(leastPlace(tournament)).toBe(at)
        expect(keyAt(tournament, place % count)).toBe(key)
      }
    }),
    { numRuns: 300 },
  )
})

test('of none nobody is the least', () => {
  expect(leastKey(makeTournament(0))).toBe(Number.POSITIVE_INFINITY)
})

/** Not a subtraction: both may be infinite. */
const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1)
