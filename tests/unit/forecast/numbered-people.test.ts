import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberPeople, UUID_BYTES } from '#lib/services/forecast/numbered-people'

const pack = (ids: readonly string[]) => Buffer.from(ids.join('').replaceAll('-', ''), 'hex')
/** Ids of which some differ in one 32-bit word only, as ids of the same millisecond nearly do. */
const anId = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 50 }).map((n) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`),
  fc
    .integer({ min: 0, max: 50 })
    .map((n) => `${n.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`),
)

test('people get the numbers that a map of their ids would give them', () => {
  fc.assert(
    fc.property(fc.array(anId, { maxLength: 3_000, size: 'max' }), fc.array(anId), (ids, asked) => {
      const numbers = numberPeople()
      const known = new Map<string, number>()
      const packed = pack(ids)
      for (const [index, id] of ids.entries()) {
        const number = known.get(id) ?? known.size
        known.set(id, number)
        expect(numbers.add(packed, index * UUID_BYTES)).toBe(number)
      }
      expect(numbers.size).toBe(known.size)
      expect(numbers.ids()).toEqual([...known.keys()].map((id) => id.replaceAll('-', '')))
      const packedAsked = pack([...asked, ...known.keys()])
      for (const [index, id] of [...asked, ...known.keys()].entries())
        expect(numbers.find(packedAsked, index * UUID_BYTES)).toBe(known.get(id) ?? -1)
    }),
    { numRuns: 30 },
  )
})
