import { describe, expect, test } from 'vitest'
import { checkAlignment } from '#lib/domain/domains/alignment'
import type { RecordCheck } from '#lib/domain/domains/record-check'
import { judgeRequirements, REQUIREMENTS, type RequirementFacts } from '#lib/domain/domains/requirements'

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
  } = checkAlignment({
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
