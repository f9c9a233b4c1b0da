import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignmentOf } from '#lib/domain/domains/alignment'
import { checkDkim, dkimRecord } from '#lib/domain/domains/dkim-record'
import { checkDmarc } from '#lib/domain/domains/dmarc'
import { organizationalDomain, readDomain } from '#lib/domain/domains/domain-name'
import {
  afterCheck,
  type CheckResult,
  type DomainState,
  GIVEN_UP_MS,
  GRACE_MS,
  nextCheckAt,
} from '#lib/domain/domains/domain-status'
import { includeCovers, mechanismFor } from '#lib/domain/domains/mail-hosts'
import { type RecordCheck, recordedCheck } from '#lib/domain/domains/record-check'
import { judgeRequirements, REQUIREMENTS, type RequirementFacts } from '#lib/domain/domains/requirements'
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
    { name: 'another key', txts: [dkimRecord('AAAA')], status: 'mismatch', says: 'another key' },
    { name: 'revoked', txts: ['v=DKIM1; p='], status: 'mismatch', says: 'revoked' },
    { name: 'a wildcard’s text', txts: ['v=spf1 -all'], status: 'mismatch', says: 'no DKIM record' },
    { name: 'two', txts: [dkimRecord(KEY), dkimRecord(KEY)], status: 'mismatch', says: 'several' },
    { name: 'of another version', txts: [`v=DKIM2; p=${KEY}`], status: 'mismatch', says: 'version' },
    { name: 'not for mail', txts: [`v=DKIM1; s=tlsrpt; p=${KEY}`], status: 'mismatch', says: 'for mail' },
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

describe('the status of a domain', () => {
  const T0 = Date.UTC(2026, 0, 1)
  const HOUR = 3_600_000
  const fresh: DomainState = {
    status: 'pending',
    verified_at: null,
    failing_since: null,
    looked_for_since: T0,
    unanswered: 0,
  }
  const having = (state: DomainState, ...results: [CheckResult, number][]) =>
    results.reduce((now, [result, at]) => afterCheck(now, result, T0 + at), state)
  const verified = having(fresh, ['complete', HOUR])

  test('pending until DNS has answered, verifying while records are missing, verified with all', () => {
    expect(having(fresh, ['unanswered', 1]).status).toBe('pending')
    expect(having(fresh, ['incomplete', 1]).status).toBe('verifying')
    expect(verified).toMatchObject({ status: 'verified', verified_at: T0 + HOUR })
    expect(having(verified, ['complete', 9 * HOUR]).verified_at).toBe(T0 + HOUR)
  })

  test('what is missing for 14 days has failed, and comes back when the records do', () => {
    const failed = having(fresh, ['incomplete', 1], ['incomplete', GIVEN_UP_MS])
    expect(failed.status).toBe('failed')
    expect(having(failed, ['complete', GIVEN_UP_MS + HOUR]).status).toBe('verified')
    expect(
      having({ ...failed, looked_for_since: T0 + GIVEN_UP_MS }, ['incomplete', GIVEN_UP_MS + 1]).status,
    ).toBe('verifying')
  })

  test('a verified domain stays so for three days without a record, and recovers with it', () => {
    const failing = having(verified, ['incomplete', 2 * HOUR])
    expect(failing).toMatchObject({ status: 'verified', failing_since: T0 + 2 * HOUR })
    expect(having(failing, ['complete', 3 * HOUR])).toMatchObject({ status: 'verified', failing_since: null })
    expect(having(failing, ['incomplete', 2 * HOUR + GRACE_MS - 1]).status).toBe('verified')
    expect(having(failing, ['incomplete', 2 * HOUR + GRACE_MS]).status).toBe('failed')
  })

  test('however often DNS fails, the status stays', () => {
    const result = fc.constantFrom<CheckResult>('complete', 'incomplete', 'unanswered')
    fc.assert(
      fc.property(fc.array(fc.tuple(result, fc.nat(GIVEN_UP_MS * 3))), (steps) => {
        let state = fresh
        for (const [how, at] of steps.toSorted((a, b) => a[1] - b[1])) {
          const next = afterCheck(state, how, T0 + at)
          if (how === 'unanswered') expect({ ...next, unanswered: 0 }).toEqual({ ...state, unanswered: 0 })
          if (how === 'complete') expect(next.status).toBe('verified')
          if (state.status === 'verified' && next.status === 'failed')
            expect(T0 + at - (next.failing_since ?? T0 + at)).toBeGreaterThanOrEqual(GRACE_MS)
          expect(next.unanswered).toBe(how === 'unanswered' ? state.unanswered + 1 : 0)
          state = next
        }
      }),
    )
  })

  test('it is looked at often at first, then rarer, daily once in order, and never more than every five minutes', () => {
    const waits = (state: DomainState, at: number, key = false) =>
      (nextCheckAt(state, key, T0 + at) - T0 - at) / 60_000
    const verifying = having(fresh, ['incomplete', 1])
    expect(waits(verifying, 1)).toBe(5)
    expect(waits(verifying, 2 * HOUR)).toBe(30)
    expect(waits(verifying, 30 * HOUR)).toBe(360)
    expect(waits(verified, 2 * HOUR)).toBe(1_440)
    expect(waits(verified, 0, true)).toBe(5)
    expect(waits(having(verified, ['incomplete', 2 * HOUR]), 2 * HOUR)).toBe(60)
    expect(waits(having(fresh, ['incomplete', 1], ['incomplete', GIVEN_UP_MS]), GIVEN_UP_MS)).toBe(1_440)
    expect([1, 2, 3, 20].map((unanswered) => waits({ ...verified, unanswered }, 0))).toEqual([5, 10, 20, 360])
  })
})

test('a failure of DNS keeps what was known, with the failure beside it', () => {
  const known = recordedCheck(undefined, { answer: { status: 'found', found: ['x'], note: null } }, 'T1')
  expect(recordedCheck(known, { failure: 'timeout' }, 'T2')).toEqual({
    status: 'found',
    found: ['x'],
    note: null,
    checked_at: 'T1',
    failure: 'timeout',
  })
  expect(recordedCheck(undefined, { failure: 'timeout' }, 'T2')).toMatchObject({
    checked_at: null,
    status: 'missing',
  })
})

test.each([
  {
    name: 'signed',
    signing: 'example.com',
    spf: false,
    record: 'v=DMARC1; p=none',
    expected: [false, true, true],
  },
  { name: 'SPF only', signing: null, spf: true, record: null, expected: [true, false, true] },
  {
    name: 'a bounce host, relaxed',
    signing: null,
    spf: true,
    envelope: 'bounce.example.com',
    record: null,
    expected: [true, false, true],
  },
  {
    name: 'a bounce host, strict',
    signing: null,
    spf: true,
    envelope: 'bounce.example.com',
    record: 'v=DMARC1; p=none; aspf=s',
    expected: [false, false, false],
  },
  {
    name: 'signed for another',
    signing: 'esp.test',
    spf: false,
    record: null,
    expected: [false, false, false],
  },
  { name: 'neither', signing: null, spf: false, record: null, expected: [false, false, false] },
])('alignment: $name', ({ signing, spf, envelope, record, expected }) => {
  const {
    spf: bySpf,
    dkim,
    dmarc,
    reason,
  } = alignmentOf({
    from_domain: 'example.com',
    envelope_domain: envelope ?? 'example.com',
    spf_found: spf,
    signing_domain: signing,
    dmarc_record: record,
  })
  expect([bySpf, dkim, dmarc]).toEqual(expected)
  expect(reason).not.toBe('')
})

describe('what Gmail, Yahoo and Outlook demand', () => {
  const check: RecordCheck = {
    status: 'found',
    found: ['v=DMARC1; p=none'],
    note: null,
    checked_at: 'T',
    failure: null,
  }
  const alignment = { spf: true, dkim: true, dmarc: true, reason: '' }
  const good: RequirementFacts = {
    domain: 'example.com',
    checks: { spf: check, dkim: check, dmarc: check, mx: check },
    mailboxes: [{ address: 'ada@example.com', alignment }],
    servers: [{ host: 'smtp.gmail.com', provider: 'Google Workspace', encrypted: true, reverse_name: null }],
    sent: 10_000,
    complaints: 1,
  }
  const verdicts = (facts: Partial<RequirementFacts>) =>
    Object.fromEntries(judgeRequirements({ ...good, ...facts }).map(({ id, status }) => [id, status]))

  test('with everything in order all are met, each with a reason and a source of the one who demands it', () => {
    const judged = judgeRequirements(good)
    expect(judged.map(({ id, status }) => [id, status])).toEqual(REQUIREMENTS.map(({ id }) => [id, 'met']))
    for (const { reason, sources, demanded_by } of judged) {
      expect(reason.length).toBeGreaterThan(5)
      expect(sources.map(({ provider }) => provider)).toEqual(demanded_by)
      for (const { url } of sources) expect(url).toMatch(/^https:/)
    }
  })

  test.each([
    {
      name: 'complaints at 0.3 %',
      facts: { sent: 1_000, complaints: 3 },
      id: 'complaint_rate',
      status: 'not_met',
    },
    {
      name: 'complaints below it',
      facts: { sent: 1_000, complaints: 2 },
      id: 'complaint_rate',
      status: 'met',
    },
    { name: 'hardly any mail', facts: { sent: 10, complaints: 1 }, id: 'complaint_rate', status: 'unknown' },
    { name: 'no record looked up', facts: { checks: {} }, id: 'spf', status: 'unknown' },
    { name: 'no mailbox', facts: { mailboxes: [], servers: [] }, id: 'alignment', status: 'unknown' },
    { name: 'no mailbox, no TLS', facts: { mailboxes: [], servers: [] }, id: 'tls', status: 'unknown' },
    {
      name: 'a key that is missing',
      facts: { checks: { ...good.checks, dkim: { ...check, status: 'missing' as const, found: [] } } },
      id: 'dkim',
      status: 'not_met',
    },
    {
      name: 'no alignment',
      facts: { mailboxes: [{ address: 'a@example.com', alignment: { ...alignment, dmarc: false } }] },
      id: 'alignment',
      status: 'not_met',
    },
    {
      name: 'no encryption',
      facts: { servers: [{ host: 'm.example.com', provider: null, encrypted: false, reverse_name: null }] },
      id: 'tls',
      status: 'not_met',
    },
    {
      name: 'no reverse name',
      facts: {
        servers: [
          {
            host: 'm.example.com',
            provider: null,
            encrypted: true,
            reverse_name: { ok: false, detail: 'None.' },
          },
        ],
      },
      id: 'reverse_dns',
      status: 'not_met',
    },
    {
      name: 'an own server not looked up',
      facts: { servers: [{ host: 'm.example.com', provider: null, encrypted: true, reverse_name: null }] },
      id: 'reverse_dns',
      status: 'unknown',
    },
  ])('$name: $id is $status', ({ facts, id, status }) => {
    expect(verdicts(facts)[id]).toBe(status)
  })
})
