import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bounceAddress, readBounceAddress } from '#lib/domain/tokens/bounce-token'

const KEY = Buffer.alloc(32, 5)
const HOST = 'bounce.example.com'

test('it names its action, in any case of its letters, and fits into an address', () => {
  fc.assert(
    fc.property(fc.uuid(), (action_id) => {
      const address = bounceAddress(action_id, HOST, KEY) ?? ''
      expect(address).toMatch(/^bounce\+[a-z2-7]{45}@bounce\.example\.com$/)
      expect(address.indexOf('@')).toBeLessThanOrEqual(64)
      expect(readBounceAddress(address, KEY)).toEqual({ action_id, host: HOST })
      expect(readBounceAddress(address.toUpperCase(), KEY)).toEqual({ action_id, host: HOST })
    }),
  )
})

test('whatever is changed in it, or signed with another key, is not accepted', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  fc.assert(
    fc.property(fc.uuid(), fc.nat(44), fc.nat(30), (action_id, place, step) => {
      const address = bounceAddress(action_id, HOST, KEY) ?? ''
      const at = 'bounce+'.length + place
      const letter = letters[(letters.indexOf(address[at] ?? '') + 1 + step) % 32]
      expect(readBounceAddress(address.slice(0, at) + letter + address.slice(at + 1), KEY)).toBeNull()
      expect(readBounceAddress(address, Buffer.alloc(32, 6))).toBeNull()
    }),
  )
})

test('what is no such address is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.emailAddress()), (text) => {
      expect(readBounceAddress(text, KEY)).toBeNull()
    }),
  )
  expect(bounceAddress('no uuid', HOST, KEY)).toBeNull()
})
