import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from '#lib/db/json-text'

test.each([
  ['plain', { a: ['b', 1, null, true] }, { a: ['b', 1, null, true] }],
  ['a NUL is left out', { a: 'b\0c' }, { a: 'bc' }],
  ['half a letter becomes the sign of what cannot be read', ['😀'.slice(0, 1)], ['\ufffd']],
  ['a whole letter stays', ['😀'], ['😀']],
  ['the words \\u0000 and \\ud83d are words', ['\\u0000 \\ud83d'], ['\\u0000 \\ud83d']],
])('%s', (_, value, held) => {
  expect(JSON.parse(jsonText(value))).toEqual(held)
})

test('whatever the words, Postgres can hold the text, and what it could hold is unchanged', () => {
  const words = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), halves)
  fc.assert(
    fc.property(fc.array(words), (given) => {
      const held: string[] = JSON.parse(jsonText(given))
      for (const [place, text] of held.entries()) {
        expect(text).not.toContain('\0')
        expect(text.isWellFormed()).toBe(true)
        const before = given[place] ?? ''
        if (before.isWellFormed() && !before.includes('\0')) expect(text).toBe(before)
      }
    }),
  )
})

/** Text with an unpaired surrogate, as `slice` may leave it. */
const halves = fc
  .tuple(fc.string({ unit: 'grapheme' }), fc.nat(20))
  .map(([text, end]) => `${text}😀`.slice(0, end))
