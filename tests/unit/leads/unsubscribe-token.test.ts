import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUnsubscribeToken, unsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'

const key = Buffer.alloc(32, 7)
const ids = {
  workspace_id: '01890000-0000-7000-8000-0000000000aa',
  action_id: '01890000-0000-7000-8000-0000000000bb',
}
const token = unsubscribeToken(ids, key) ?? ''

test('comes back as the ids it was made of, and is fit for a URL', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (workspace_id, action_id) => {
      const made = unsubscribeToken({ workspace_id, action_id }, key) ?? ''
      expect(readUnsubscribeToken(made, key)).toEqual({ workspace_id, action_id })
      expect(encodeURIComponent(made)).toBe(made)
      expect(made).toHaveLength(67)
    }),
  )
})

test('any change of any character makes it nothing', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.='
  for (let at = 0; at < token.length; at++)
    for (const char of alphabet) {
      if (char === token[at]) continue
      expect(readUnsubscribeToken(token.slice(0, at) + char + token.slice(at + 1), key)).toBeNull()
    }
})

test('is nothing with another key, another version, or a tail', () => {
  expect(readUnsubscribeToken(token, randomBytes(32))).toBeNull()
  expect(readUnsubscribeToken(token.replace('u1', 'u2'), key)).toBeNull()
  for (const tail of ['A', '.', '=', ' ', '\n']) expect(readUnsubscribeToken(token + tail, key)).toBeNull()
})

test('whatever text arrives is answered with null', () => {
  const shaped = fc
    .string({ minLength: 64, maxLength: 64, unit: fc.constantFrom(...'abcXYZ012-_') })
    .map((text) => `u1.${text}`)
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 200 }), shaped), (text) => {
      expect(readUnsubscribeToken(text, key)).toBeNull()
    }),
  )
})

test('is not made of what is no id', () => {
  expect(unsubscribeToken({ ...ids, action_id: 'preview' }, key)).toBeNull()
})
