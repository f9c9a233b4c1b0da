import { expect, test } from 'vitest'
import { cleanText } from '#lib/providers/mail/reply'

test('what a server says is bounded, and its last letter whole', () => {
  const said = cleanText(`550 ${'x'.repeat(995)}👍 no`)
  expect(said).toHaveLength(1_000)
  expect(said.isWellFormed()).toBe(true)
})

test('it keeps its lines and no other control character', () => {
  expect(cleanText('550-5.1.1 a\0\u0085\r\n550 b\x1b[31m')).toBe('550-5.1.1 a\n550 b[31m')
})
