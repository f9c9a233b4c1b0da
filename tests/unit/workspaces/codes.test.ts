import { expect, test } from 'vitest'
import { newChallenge, readChallenge } from '#lib/domain/tokens/challenges'
import { readRecoveryCode, recoveryCode } from '#lib/domain/tokens/recovery-codes'
import { matchTimeCode, timeCode, timeCodeUri, timeStep } from '#lib/domain/tokens/time-codes'

// RFC 6238, appendix B: the SHA-1 key, and the last six of each eight digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
])('at %i seconds the code is that of the standard', (seconds, code) => {
  expect(timeCode(SECRET, timeStep(at(seconds)))).toBe(code)
})

test.each([
  [-90, null],
  [-60, null],
  [-30, 999],
  [0, 1000],
  [30, 1001],
  [60, null],
])('a code that is %i seconds off is taken within one step, and no further', (offset, step) => {
  const now = at(30_000 + 15)
  const code = timeCode(SECRET, timeStep(at(30_000 + 15 + offset)))
  expect(matchTimeCode(SECRET, code, now, 0)).toBe(step)
})

test('no code is taken twice, nor one before it', () => {
  const now = at(30_000)
  for (const step of [999, 1000, 1001])
    expect([step, matchTimeCode(SECRET, timeCode(SECRET, step), now, 1000)]).toEqual([
      step,
      step > 1000 ? step : null,
    ])
})

test.each(['', '28708', '2870820', '28708a', '２８７０８２'])('%o is no code', (text) => {
  expect(matchTimeCode(SECRET, text, at(59), 0)).toBeNull()
})

test('the address of a secret names the account and the site', () => {
  const url = new URL(timeCodeUri(SECRET, 'ada@example.com', 'Opener'))
  expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual(['otpauth:', '/Opener:ada@example.com'])
  expect(url.searchParams.get('secret')).toBe(SECRET)
})

test('a recovery code is read however it was typed, and nothing else is', () => {
  const code = recoveryCode(Uint8Array.from({ length: 16 }, (_, at) => at * 7))
  expect(code).toHaveLength(19)
  for (const typed of [code, code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    expect(readRecoveryCode(typed)).toBe(code)
  for (const typed of ['', code.slice(1), `${code}a`, code.replace(code[0] ?? '', 'l'), 'x'.repeat(10_000)])
    expect(readRecoveryCode(typed)).toBeNull()
})

const KEY = Buffer.alloc(32, 1)
const ID = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const [OWNER, STRANGER] = [crypto.randomUUID(), crypto.randomUUID()]

test('a challenge is good for five minutes, for what and whom it was made for', () => {
  const made = newChallenge({ purpose: 'add', user_id: OWNER }, ID, at(1000), KEY)
  expect(readChallenge(made, { purpose: 'add', user_id: OWNER }, at(1299), KEY)?.id).toBe(ID)
  expect(readChallenge(made, { purpose: 'add', user_id: OWNER }, at(1300), KEY)).toBeNull()
  expect(readChallenge(made, { purpose: 'add', user_id: STRANGER }, at(1000), KEY)).toBeNull()
  expect(readChallenge(made, { purpose: 'confirm', user_id: OWNER }, at(1000), KEY)).toBeNull()
  expect(readChallenge(made, { purpose: 'sign_in' }, at(1000), KEY)).toBeNull()
  expect(readChallenge(made, { purpose: 'add', user_id: OWNER }, at(1000), Buffer.alloc(32, 2))).toBeNull()
  expect(readChallenge(`${made}A`, { purpose: 'add', user_id: OWNER }, at(1000), KEY)).toBeNull()
})
