import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differing, type Fields, findClashes, isAtStake, merged } from '#lib/domain/campaigns/edit-conflict'

const fields = fc.dictionary(
  fc.constantFrom('subject', 'body', 'days', 'weight'),
  fc.array(fc.constantFrom('one', 'two'), { maxLength: 2 }),
)

const BASE: Fields = { subject: ['Hello'], body: ['Text'], days: ['mon', 'tue'] }

describe('two edits of one base', () => {
  test.each([
    ['the same field by both', { subject: ['Mine'] }, { subject: ['Theirs'] }, ['subject both']],
    ['one field by each', { subject: ['Mine'] }, { body: ['Theirs'] }, ['subject me', 'body them']],
    ['the same by both', { subject: ['Hi'] }, { subject: ['Hi'] }, []],
    ['nothing by them', { days: ['mon'] }, {}, ['days me']],
    ['a field emptied', { body: [] }, {}, ['body me']],
    ['a field that was not there', {}, { note: ['New'] }, ['note them']],
  ])('%s', (_, mine, theirs, expected) => {
    const clashes = findClashes(BASE, { ...BASE, ...mine }, { ...BASE, ...theirs })
    expect(clashes.map(({ field, changed_by }) => `${field} ${changed_by}`)).toEqual(expected)
  })

  test('what they did not touch, nobody need choose: mine is saved and theirs stays', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, mine, theirs) => {
        expect(isAtStake(findClashes(base, mine, base))).toBe(false)
        const isSafe = differing(merged(mine, theirs, new Set(differing(base, theirs))), mine).length === 0
        expect(isAtStake(findClashes(base, mine, theirs))).toBe(!isSafe)
      }),
    )
  })

  test('no text of either is without a place to choose it: what does not clash is the same in both', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, mine, theirs) => {
        const clashing = new Set(findClashes(base, mine, theirs).map(({ field }) => field))
        for (const field of ['subject', 'body', 'days', 'weight'])
          if (!clashing.has(field)) expect(mine[field] ?? []).toEqual(theirs[field] ?? [])
      }),
    )
  })

  test('what was chosen is what is saved: all of mine, all of theirs, or each by itself', () => {
    fc.assert(
      fc.property(
        fields,
        fields,
        fc.uniqueArray(fc.constantFrom('subject', 'body', 'days')),
        (mine, theirs, chosen) => {
          const taken = new Set<string>(chosen)
          const saved = merged(mine, theirs, taken)
          for (const field of differing(mine, theirs))
            expect(saved[field]).toEqual((taken.has(field) ? theirs : mine)[field] ?? [])
          expect(differing(merged(mine, theirs, new Set()), mine)).toEqual([])
          expect(differing(merged(mine, theirs, new Set(differing(mine, theirs))), theirs)).toEqual([])
        },
      ),
    )
  })
})
