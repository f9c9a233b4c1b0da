import { expect, test } from 'vitest'
import {
  claimableDomain,
  isProofOld,
  proofRecord,
  readSignInDomain,
} from '#lib/domain/workspaces/sign-in-domain'

test.each([
  ['Acme.COM', 'acme.com'],
  [' acme.com. ', 'acme.com'],
  ['bücher.de', 'xn--bcher-kva.de'],
  ['XN--BCHER-KVA.de', 'xn--bcher-kva.de'],
  ['ａｃｍｅ.com', 'acme.com'],
])('%s is claimed as %s', (typed, domain) => {
  expect(readSignInDomain(typed)).toEqual({ ok: true, domain })
})

test.each([
  ['gmail.com', 'mail provider'],
  ['GMail.com.', 'mail provider'],
  ['hotmail.co.uk', 'mail provider'],
  ['ｇmail.com', 'mail provider'],
  ['co.uk', 'public suffix'],
  ['github.io', 'public suffix'],
  ['localhost', 'local name'],
  ['com', 'must have a dot'],
  ['ann@acme.com', 'a domain alone'],
  ['https://acme.com', 'a domain alone'],
  ['127.0.0.1', 'IP address'],
  ['acme.com/x', 'a domain alone'],
  ['-acme.com', 'not a valid domain'],
  ['x'.repeat(255), 'must have a dot'],
])('%s cannot be claimed: %s', (typed, problem) => {
  expect(readSignInDomain(typed)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
})

test.each([
  ['ann@acme.com', 'acme.com'],
  ['Ann@ACME.com', 'acme.com'],
  ['ann@bücher.de', 'xn--bcher-kva.de'],
  ['ann@mail.acme.com', 'mail.acme.com'],
  ['ann@evil.example@acme.com', null],
  ['"ann@acme.com"@evil.example', null],
  ['ann @acme.com', null],
  ['@acme.com', null],
  ['acme.com', null],
  ['ann@', null],
  ['ann@gmail.com', null],
])('the address %s is of the domain %s', (address, domain) => {
  expect(claimableDomain(address)).toBe(domain)
})

test('the record has a name of its own, and a value that another workspace cannot use', () => {
  expect(proofRecord({ domain: 'acme.com', token: 'abc' })).toEqual({
    type: 'TXT',
    name: '_opener-challenge.acme.com',
    value: 'opener-domain-verification=abc',
  })
})

test('a proof is looked at again after a day', () => {
  const now = new Date('2026-11-23T12:00:00Z')
  expect(isProofOld(null, now)).toBe(true)
  expect(isProofOld(new Date('2026-11-22T12:00:00.001Z'), now)).toBe(false)
  expect(isProofOld(new Date('2026-11-22T12:00:00Z'), now)).toBe(true)
})
