import { expect, test } from 'vitest'
import { seal, unseal } from '#lib/db/seal'
import { FUZZ_ENV } from '#tests/support/fuzz/targets'

Object.assign(process.env, { DATABASE_URL: FUZZ_ENV.DATABASE_URL })

test('what was sealed opens as it was, whatever its letters', () => {
  for (const secret of ['', 'a', 'pä$$ 👍\r\n\0', 'x'.repeat(10_000)])
    expect(unseal(seal(secret))).toBe(secret)
})

test('a tag that was cut off opens nothing, and neither does one bit that changed', () => {
  const sealed = seal('')
  const [version, key, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  const of = (part: Buffer) => [version, key, part.toString('base64url')].join('.')
  // A nonce of twelve bytes, then the tag: Node would accept a tag of four bytes.
  for (let length = 0; length < bytes.length; length++)
    expect(() => unseal(of(bytes.subarray(0, length))), `${length} bytes`).toThrow()
  for (let at = 0; at < bytes.length * 8; at++) {
    const bent = Buffer.from(bytes)
    bent[at >> 3] = (bent[at >> 3] ?? 0) ^ (1 << (at & 7))
    expect(() => unseal(of(bent))).toThrow()
  }
})
