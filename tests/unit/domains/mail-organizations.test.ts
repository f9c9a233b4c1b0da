import { expect, test } from 'vitest'
import { readMailboxLines } from '#components/senders/connect/mailbox-lines'
import {
  isTenant,
  ORGANIZATION_REFUSALS,
  refusalOfKey,
  refusalOfMailbox,
  remedy,
} from '#lib/domain/domains/mail-organizations'

test('addresses are read a line each, with a name or without', () => {
  const text =
    ' ana@company.test\r\n\nBo Chen <bo@company.test>\n"Silva, Eva" <eva@company.test> \n<x@company.test>\nnonsense <'
  expect(readMailboxLines(text)).toEqual([
    { address: 'ana@company.test', name: null },
    { address: 'bo@company.test', name: 'Bo Chen' },
    { address: 'eva@company.test', name: 'Silva, Eva' },
    { address: 'x@company.test', name: null },
    { address: 'nonsense <', name: null },
  ])
})

test.each([
  ['6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10', true],
  ['company.onmicrosoft.com', true],
  ['common', false],
  ['consumers', false],
  ['..', false],
  ['a..b', false],
  ['-a.test', false],
  ['a.test/', false],
  [`${'a'.repeat(64)}.test`, false],
  ['', false],
])('%j is a directory of Microsoft: %s', (text, expected) => {
  expect(isTenant(text)).toBe(expected)
})

test('every refusal has a remedy, at every vendor, and says so in a sentence', () => {
  for (const vendor of ['google', 'microsoft', 'sandbox'] as const)
    for (const cause of ORGANIZATION_REFUSALS) expect(remedy(vendor, cause)).toMatch(/^[A-Z].*\.$/)
})

test('what stands in the way becomes a cause', () => {
  expect((['client', 'admin', 'declined', 'ended', 'unreachable'] as const).map(refusalOfKey)).toEqual([
    'key_refused',
    'not_allowed',
    'not_allowed',
    'not_found',
    'unreachable',
  ])
  expect(['auth', 'scope', 'policy', 'client', 'throttled', 'lost'].map(refusalOfMailbox)).toEqual([
    'not_found',
    'not_allowed',
    'not_allowed',
    'api_off',
    'throttled',
    'unreachable',
  ])
})
