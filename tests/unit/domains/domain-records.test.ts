import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDkim, dkimRecord } from '#lib/domain/domains/dkim-record'
import { checkDmarc } from '#lib/domain/domains/dmarc'
import { organizationalDomain, readDomain } from '#lib/domain/domains/domain-name'
import { includeCovers, mechanismFor } from '#lib/domain/domains/mail-hosts'
import { checkSpf, isSpf, mergeSpf, spfTerms } from '#lib/domain/domains/spf'
import { txtStrings, zoneFileTxt } from '#lib/domain/domains/txt'

describe('a domain as it is typed', () => {
  test.each([
    ['Example.COM', 'example.com'],
    [' example.com. ', 'example.com'],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['me.github.io', 'me.github.io'],
  ])('%s is %s', (typed, domain) => {
    expect(readDomain(typed)).toEqual({ ok: true, domain })
  })

  test.each([
    ['https://example.com', 'alone'],
    ['ada@example.com', 'alone'],
    ['example.com/path', 'alone'],
    ['192.0.2.1', 'IP'],
    ['2001:db8::1', 'IP'],
    ['[2001:db8::1]', 'IP'],
    ['1.2.3', 'IP'],
    ['localhost', 'local'],
    ['mail.local', 'local'],
    ['host.internal', 'local'],
    ['com', 'dot'],
    ['co.uk', 'public suffix'],
    ['com.au', 'public suffix'],
    ['github.io', 'public suffix'],
    ['gmail.com', 'provider'],
    ['a..b.com', 'not a valid'],
    ['-a.com', 'not a valid'],
    ['ex_ample.com', 'not a valid'],
    [`${'a'.repeat(64)}.com`, 'not a valid'],
    ['example.c0m', 'cannot end'],
    ['', 'not a valid'],
  ])('%s is refused: %s', (typed, why) => {
    const read = readDomain(typed)
    expect(read.ok ? read.domain : read.problem).toContain(why)
  })

  test('whatever is read once is read the same again, and no text breaks it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.webUrl()), (typed) => {
        const read = readDomain(typed)
        if (read.ok) expect(readDomain(read.domain)).toEqual(read)
      }),
    )
  })

  test.each([
    ['mail.shop.example.co.uk', 'example.co.uk'],
    ['example.com', 'example.com'],
    ['a.b.example.com', 'example.com'],
    ['co.uk', 'co.uk'],
  ])('%s was registered as %s', (domain, registered) => {
    expect(organizationalDomain(domain)).toBe(registered)
  })
})

describe('one SPF record out of what exists and what is needed', () => {
  test.each([
    { have: [], need: ['mx'], merged: 'v=spf1 mx ~all' },
    {
      have: ['v=spf1 mx -all'],
      need: ['include:_spf.google.com'],
      merged: 'v=spf1 mx include:_spf.google.com -all',
    },
    {
      have: ['v=spf1 include:_spf.google.com ~all'],
      need: ['include:_spf.google.com'],
      merged: 'v=spf1 include:_spf.google.com ~all',
    },
    { have: ['v=spf1 +A mx'], need: ['a'], merged: 'v=spf1 +A mx ~all' },
    {
      have: ['v=spf1 redirect=_spf.example.net'],
      need: ['mx'],
      merged: 'v=spf1 mx redirect=_spf.example.net',
    },
    {
      have: ['v=spf1 redirect=a.test', 'v=spf1 redirect=b.test'],
      need: [],
      merged: 'v=spf1 include:a.test include:b.test ~all',
    },
    {
      have: ['v=spf1 a -all', 'v=spf1 mx ~all'],
      need: ['ip4:192.0.2.1'],
      merged: 'v=spf1 a mx ip4:192.0.2.1 ~all',
    },
    { have: ['v=spf1 a +all'], need: [], merged: 'v=spf1 a ~all' },
    { have: ['v=spf1   a   -all'], need: ['mx'], merged: 'v=spf1 a mx -all' },
  ])('$have and $need', ({ have, need, merged }) => {
    expect(mergeSpf(have, need)).toBe(merged)
  })

  const mechanism = fc.constantFrom(
    'a',
    'mx',
    'ip4:192.0.2.0/24',
    'include:x.test',
    'a:smtp.x.test',
    '?exists:%{i}.x.test',
  )
  const ending = fc.constantFrom(' -all', ' ~all', ' ?all', ' +all', ' redirect=y.test', '')
  const record = fc
    .tuple(fc.array(mechanism), ending)
    .map(([terms, end]) => `v=spf1 ${terms.join(' ')}${end}`.trim())

  test('it keeps every mechanism, holds each needed one once, never lets everybody in, and is stable', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 3 }), fc.array(mechanism), (have, need) => {
        const merged = mergeSpf(have, need)
        expect(isSpf(merged)).toBe(true)
        const terms = spfTerms(merged).map(({ text }) => text)
        for (const text of [...have.flatMap((one) => spfTerms(one).map((term) => term.text)), ...need])
          if (!/all$|^redirect/.test(text)) expect(terms.filter((one) => one === text)).toHaveLength(1)
        expect(terms).not.toContain('+all')
        expect(terms.filter((text) => /all$/.test(text)).length).toBeLessThanOrEqual(1)
        expect(mergeSpf([merged], need)).toBe(merged)
      }),
    )
  })

  test.each([
    { txts: [], status: 'missing' },
    { txts: ['v=spf10 a', 'google-site-verification=1'], status: 'missing' },
    { txts: ['v=spf1 mx -all'], status: 'found' },
    { txts: ['V=SPF1 mx -all'], status: 'found' },
    { txts: ['v=spf1 mx -all', 'v=spf1 a -all'], status: 'mismatch' },
    { txts: ['v=spf1 +all'], status: 'mismatch' },
    { txts: ['v=spf1 all'], status: 'mismatch' },
  ])('$txts is $status', ({ txts, status }) => {
    expect(checkSpf(txts, null, []).status).toBe(status)
  })

  test('a server that it does not permit is named', () => {
    const needs = [{ mechanism: 'include:_spf.google.com', covered: false }]
    expect(checkSpf(['v=spf1 mx -all'], null, needs)).toMatchObject({
      status: 'mismatch',
      note: expect.stringContaining('include:_spf.google.com'),
    })
  })

  test.each([
    ['smtp.gmail.com', 'include:_spf.google.com'],
    ['smtp.office365.com', 'include:spf.protection.outlook.com'],
    ['email-smtp.eu-west-1.amazonaws.com', 'include:amazonses.com'],
    ['mail.example.com', 'a:mail.example.com'],
    ['192.0.2.25', 'ip4:192.0.2.25'],
    ['2001:db8::25', 'ip6:2001:db8::25'],
  ])('%s is permitted by %s', (host, permitted) => {
    expect(mechanismFor(host)).toBe(permitted)
  })

  test('an include of the same house covers a server, another does not', () => {
    expect(includeCovers('spf.example.net', 'smtp.example.net')).toBe(true)
    expect(includeCovers('spf.example.org', 'smtp.example.net')).toBe(false)
    expect(includeCovers('_spf.google.com', 'smtp.gmail.com')).toBe(true)
    expect(includeCovers('amazonses.com', 'smtp.gmail.com')).toBe(false)
  })
})

describe('the DKIM record', () => {
  const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'
  test.each([
    { name: 'as it should be', txts: [dkimRecord(KEY)], status: 'found' },
    { name: 'without spaces and version', txts: [`k=rsa;p=${KEY}`], status: 'found' },
    {
      name: 'with blanks inside the key',
      txts: [`v=DKIM1; p=${KEY.slice(0, 9)} ${KEY.slice(9)};`],
      status: 'found',
    },
    { name: 'none', txts: [], status: 'missing' },
    { name: 'cut off', txts: [dkimRecord(KEY.slice(0, 20))], status: 'mismatch', says: 'cut off' },
    { name: 'another key', txts: [dkimRecord('AAAA')], status: 'mismatch', says: 'a different key' },
    { name: 'revoked', txts: ['v=DKIM1; p='], status: 'mismatch', says: 'revoked' },
    { name: 'a wildcard’s text', txts: ['v=spf1 -all'], status: 'mismatch', says: 'not a DKIM record' },
    { name: 'two', txts: [dkimRecord(KEY), dkimRecord(KEY)], status: 'mismatch', says: 'several' },
    { name: 'of another version', txts: [`v=DKIM2; p=${KEY}`], status: 'mismatch', says: 'version' },
    { name: 'not for mail', txts: [`v=DKIM1; s=tlsrpt; p=${KEY}`], status: 'mismatch', says: 'for email' },
    { name: 'of another type', txts: [`v=DKIM1; k=ed25519; p=${KEY}`], status: 'mismatch', says: 'rsa' },
    { name: 'testing', txts: [`v=DKIM1; t=y; p=${KEY}`], status: 'found', says: 't=y' },
  ])('$name: $status', ({ txts, status, says }) => {
    const found = checkDkim(txts, KEY)
    expect(found.status).toBe(status)
    if (says) expect(found.note).toContain(says)
  })

  test('a long value falls into strings of 255 that join to itself, quoted in a zone file', () => {
    const value = dkimRecord('A'.repeat(400))
    expect(txtStrings(value).map((text) => text.length)).toEqual([255, 163])
    expect(txtStrings(value).join('')).toBe(value)
    expect(zoneFileTxt('a "b" \\')).toBe('"a \\"b\\" \\\\"')
  })
})

test.each([
  { txts: [], status: 'missing' },
  { txts: ['v=DMARC1; p=none'], status: 'found' },
  { txts: ['v=DMARC1;p=reject;rua=mailto:d@example.com'], status: 'found' },
  { txts: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], status: 'mismatch' },
  { txts: ['v=DMARC1; p=often'], status: 'mismatch' },
  { txts: ['v=DMARC1'], status: 'mismatch' },
  { txts: ['v=DMARC1; p=none; p=reject'], status: 'mismatch' },
  { txts: ['anything'], status: 'mismatch' },
])('DMARC $txts is $status', ({ txts, status }) => {
  expect(checkDmarc(txts).status).toBe(status)
})
