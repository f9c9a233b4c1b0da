import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clickToken,
  LONGEST_TARGET,
  MOST_LINKS,
  openToken,
  readClickToken,
  readOpenToken,
} from '#lib/domain/tokens/tracking-token'

const key = Buffer.alloc(32, 7)
const action_id = '01890000-0000-7000-8000-0000000000bb'
const link = { action_id, link: 3, url: 'https://example.com/a?b=1&c=ü#part' }
const token = clickToken(link, key) ?? ''

describe('the token of a link', () => {
  test('comes back as what it was made of, and is fit for a URL', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: MOST_LINKS }), fc.webUrl(), (id, place, url) => {
        const made = clickToken({ action_id: id, link: place, url }, key) ?? ''
        expect(readClickToken(made, key)).toEqual({ action_id: id, link: place, url })
        expect(encodeURIComponent(made)).toBe(made)
      }),
    )
    expect(readClickToken(token, key)).toEqual(link)
  })

  test('leads nowhere after any change of any character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.='
    for (let at = 0; at < token.length; at++)
      for (const char of alphabet)
        if (char !== token[at])
          expect(readClickToken(token.slice(0, at) + char + token.slice(at + 1), key)).toBeNull()
  })

  test('is nothing with another key, as another kind, or with a tail', () => {
    expect(readClickToken(token, randomBytes(32))).toBeNull()
    expect(readClickToken(token.replace('c1', 'o1'), key)).toBeNull()
    expect(readOpenToken(token, key)).toBeNull()
    for (const tail of ['A', '.', '=', ' ', '\n', '/']) expect(readClickToken(token + tail, key)).toBeNull()
  })

  test.each([
    ['an id that is none', { ...link, action_id: 'preview' }],
    ['a target that is too long', { ...link, url: `https://example.com/${'a'.repeat(LONGEST_TARGET)}` }],
    ['a link beyond the last that is counted', { ...link, link: MOST_LINKS + 1 }],
    ['a link before the first', { ...link, link: 0 }],
  ])('is not made of %s', (_, given) => {
    expect(clickToken(given, key)).toBeNull()
  })
})

test('whatever text arrives is answered with null', () => {
  const shaped = fc
    .string({ maxLength: 200, unit: fc.constantFrom(...'abcXYZ012-_') })
    .chain((text) => fc.constantFrom(`c1.${text}`, `o1.${text}`))
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 200 }), shaped), (text) => {
      expect(readClickToken(text, key)).toBeNull()
      expect(readOpenToken(text, key)).toBeNull()
    }),
  )
})

test('the token of an image names its action and nothing else', () => {
  const made = openToken(action_id, key) ?? ''
  expect(readOpenToken(made, key)).toBe(action_id)
  expect(readOpenToken(made, randomBytes(32))).toBeNull()
  expect(readClickToken(made, key)).toBeNull()
  expect(openToken('preview', key)).toBeNull()
})
