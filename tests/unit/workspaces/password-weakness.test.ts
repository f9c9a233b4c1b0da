import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { COMMON_PASSWORDS } from '#lib/domain/workspaces/common-passwords'
import { isInFilter, makeFilter } from '#lib/domain/workspaces/password-filter'
import { passwordWeakness } from '#lib/domain/workspaces/password-weakness'

const EMAIL = 'grace.hopper+news@navy-lab.example'

describe('a password that is tried first is known', () => {
  test.each([
    ['qwertyuiop', 'common'],
    ['1q2w3e4r5t', 'common'],
    ['QwertyUIOP', 'common'],
    ['Manchester', 'common'],
    ['manchester1', 'common'],
    ['Manchester2024!', 'common_with_little_added'],
    ['!!basketball', 'common_with_little_added'],
    ['P@ssw0rd2024', 'common_with_little_added'],
    ['Pa$$w0rd12345678', 'common_with_little_added'],
    ['m4nche5ter!', 'common_with_little_added'],
    ['footba11footba11', 'pattern'],
    ['aaaaaaaaaaaa', 'pattern'],
    ['abcabcabcabc', 'pattern'],
    ['monkeymonkey', 'pattern'],
    ['abcdefghijklmnop', 'pattern'],
    ['98765432109876', 'pattern'],
    ['grace.hopper1', 'about_you'],
    ['Hopper-2024', 'common_with_little_added'],
    ['grace.hopper+news@navy-lab.example', 'about_you'],
    ['navy-lab.example9', 'about_you'],
    ['opener2024!', 'about_you'],
    ['Opener-Opener-1', 'about_you'],
    ['openerpassword', 'about_you'],
    ['ｑｗｅｒｔｙｕｉｏｐ', 'common'],
  ])('%s: %s', (password, weakness) => {
    expect(passwordWeakness(password, EMAIL)).toBe(weakness)
  })
})

test.each([
  'correct horse battery',
  'a new and better one',
  'an owner’s own words',
  'long enough it is',
  'hopper jumps over the moon',
  'tRz8-pq01-Lmw9',
  'the opener of tins 47',
  '7319402856',
  'пароль для работы',
  '\u{1f40e}\u{1f50b}\u{1f4ce}\u{1f30a}\u{1f33b}\u{1f9f2}\u{1f6f6}\u{1f9ed}\u{1f9ea}\u{1f5ff}',
])('%s is taken', (password) => {
  expect(passwordWeakness(password, EMAIL)).toBeNull()
})

const made = (index: number) =>
  createHash('sha256').update(`one of many ${index}`).digest('base64url').slice(0, 12)

test('of 100,000 words that nobody listed the filter knows at most two', () => {
  const filter = Buffer.from(COMMON_PASSWORDS, 'base64')
  let known = 0
  for (let index = 0; index < 100_000; index += 1) known += isInFilter(filter, made(index)) ? 1 : 0
  expect(known).toBeLessThanOrEqual(2)
  expect(filter.length).toBeLessThan(200_000)
})

test('of 20,000 passwords that a machine made none is refused', () => {
  const refused = Array.from({ length: 20_000 }, (_, index) => made(index)).filter((one) =>
    passwordWeakness(one, EMAIL),
  )
  expect(refused).toEqual([])
})

test('a filter knows every word that it was made of', () => {
  const words = Array.from({ length: 2_000 }, (_, index) => made(index))
  const filter = makeFilter(words)
  expect(words.every((word) => isInFilter(filter, word))).toBe(true)
})

test('the longest password is judged at once', () => {
  for (const long of ['a1'.repeat(500), 'é'.repeat(1_000), 'opener'.repeat(166), `${'ab'.repeat(499)}c1`])
    expect(() => passwordWeakness(long, EMAIL)).not.toThrow()
})
