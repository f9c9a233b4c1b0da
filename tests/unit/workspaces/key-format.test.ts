import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedKey, makeApiKey } from '#lib/domain/workspaces/key-format'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))

test('32 bytes, whatever they are, make a key of 58 signs that is well formed, and two make two', () => {
  fc.assert(
    fc.property(random, random, (one, other) => {
      const key = makeApiKey(one)
      expect(key).toMatch(/^opn_live_[0-9A-Za-z]{49}$/)
      expect(isWellFormedKey(key)).toBe(true)
      expect(makeApiKey(other) === key).toBe(one.equals(other))
    }),
  )
})

test('a key with one sign changed is malformed', () => {
  const key = makeApiKey(Buffer.alloc(32, 7))
  for (let at = 'opn_live_'.length; at < key.length; at += 1)
    for (const sign of ['0', 'z', 'Q', '-'])
      if (key[at] !== sign)
        expect([at, isWellFormedKey(key.slice(0, at) + sign + key.slice(at + 1))]).toEqual([at, false])
})

test.each([
  ['one from before there was a checksum', `opn_live_${'-_aZ9'.repeat(8)}abc`, true],
  ['one of another kind', `opn_test_${'a'.repeat(43)}`, false],
  ['one cut short', `opn_live_${'a'.repeat(42)}`, false],
  ['one with a sign that no key has', `opn_live_${'a'.repeat(42)}.`, false],
  ['nothing', 'opn_', false],
  ['a very long one', `opn_live_${'a'.repeat(100_000)}`, false],
])('%s', (_, key, isGood) => {
  expect(isWellFormedKey(key)).toBe(isGood)
})

test('the expressions that the guide gives to scanners find keys, with and without a checksum', () => {
  const guide = readFileSync('docs/api-keys.md', 'utf8')
  const [expression] = guide.match(/(?<=^regex = ''')[^']+(?=''')/m) ?? []
  const found = new RegExp(expression ?? '', 'g')
  const keys = [makeApiKey(Buffer.alloc(32, 255)), `opn_live_${'-_aZ9'.repeat(8)}abc`]
  expect(`a = "${keys[0]}"; b: ${keys[1]}\n opn_live_short`.match(found)).toEqual(keys)
})
