import { expect, test } from 'vitest'
import { readResults, receiverResults } from '#lib/domain/domains/authentication-results'
import { placementByLabels, placementState } from '#lib/domain/domains/placement'
import { findReceiver } from '#lib/domain/domains/receiver'

const GMAIL = `mx.google.com;
       dkim=pass header.i=@sender.test header.s=s1 header.b=abc;
       dkim=fail (body hash did not verify; "spf=pass") header.i=@list.test;
       spf=pass (google.com: domain of dana@sender.test designates 192.0.2.1 as permitted sender) smtp.mailfrom=dana@bounce.sender.test;
       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=sender.test`
const MICROSOFT = `spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=sender.test; dkim=pass (signature was verified)
 header.d=sender.test;dmarc=pass action=none header.from=sender.test;compauth=pass reason=100`
const header = (value: string) => ({ name: 'authentication-results', value })
const GOOGLE = findReceiver('seed@gmail.com', 'imap.gmail.com')

test('as Gmail writes it: comments are no results', () => {
  expect(readResults(GMAIL)).toEqual({
    authserv_id: 'mx.google.com',
    spf: { result: 'pass', domain: 'bounce.sender.test' },
    dkim: [
      { result: 'pass', domain: 'sender.test' },
      { result: 'fail', domain: 'list.test' },
    ],
    dmarc: { result: 'pass', domain: 'sender.test' },
  })
})

test('as Microsoft writes it, without a name', () => {
  const seen = receiverResults([header(MICROSOFT)], findReceiver('a@company.test', 'outlook.office365.com'))
  expect(seen).toEqual({
    authserv_id: null,
    spf: { result: 'pass', domain: 'sender.test' },
    dkim: [{ result: 'pass', domain: 'sender.test' }],
    dmarc: { result: 'pass', domain: 'sender.test' },
  })
  // Only Microsoft omits the name: at another receiver such a header may come from anybody.
  expect(receiverResults([header(MICROSOFT)], GOOGLE)).toBeNull()
})

test.each([
  ['a version, spaces and quotes', 'mx.own.test 1; spf = "softfail" smtp.mailfrom = "a@b.test"', 'softfail'],
  [
    'a method with a version, in capitals',
    'MX.own.test; SPF/1=FAIL reason="no; really" smtp.helo=b.test',
    'fail',
  ],
])('%s', (_, value, result) => {
  expect(readResults(value)).toMatchObject({ authserv_id: 'mx.own.test', spf: { result, domain: 'b.test' } })
})

test('nothing was checked, and what is none', () => {
  expect(readResults('mx.own.test; none')).toEqual({
    authserv_id: 'mx.own.test',
    spf: null,
    dkim: [],
    dmarc: null,
  })
  for (const value of ['', ';;;', '((((', '"', 'mx.own.test; spf', 'mx.own.test; =pass; spf='])
    expect(readResults(value)).toMatchObject({ spf: null, dkim: [], dmarc: null })
})

test('only the own receiver is believed, and of its words the topmost', () => {
  const forged = header('mx.evil.test; spf=pass smtp.mailfrom=bank.test; dmarc=pass header.from=bank.test')
  const own = header('mx.google.com; spf=fail smtp.mailfrom=bank.test; dmarc=fail header.from=bank.test')
  const older = header('mx.google.com; spf=pass smtp.mailfrom=bank.test; dmarc=pass header.from=bank.test')
  expect(receiverResults([forged, own, older], GOOGLE)?.dmarc?.result).toBe('fail')
  expect(receiverResults([forged], GOOGLE)).toBeNull()
  // A name that only begins or ends like the receiver's own.
  for (const name of ['google.com.evil.test', 'notgoogle.com', 'mx-google.com'])
    expect(receiverResults([header(`${name}; spf=pass smtp.mailfrom=a.test`)], GOOGLE)).toBeNull()
})

test('a server of one’s own speaks under its own name, or that of its address', () => {
  const own = findReceiver('dana@company.test', 'imap.hoster.test')
  for (const name of ['mx1.hoster.test', 'mail.company.test'])
    expect(receiverResults([header(`${name}; spf=none smtp.mailfrom=a.test`)], own)?.spf?.result).toBe('none')
})

test.each([
  ['a@gmail.com', null, 'google'],
  ['a@company.test', 'imap.gmail.com', 'google'],
  ['a@company.test', 'outlook.office365.com', 'microsoft'],
  ['a@yahoo.com', 'imap.mail.yahoo.com', 'yahoo'],
  ['a@company.test', 'imap.company.test', 'other'],
])('%s, read from %s, is at %s', (address, host, provider) => {
  expect(findReceiver(address, host).provider).toBe(provider)
})

test('of a thousand results of one kind ten are kept', () => {
  expect(readResults(`mx.own.test; ${'dkim=pass header.d=a.test;'.repeat(1_000)}`)?.dkim).toHaveLength(10)
})

test.each([
  [['INBOX', 'UNREAD'], 'inbox'],
  [['INBOX', 'CATEGORY_PROMOTIONS'], 'promotions'],
  [['CATEGORY_UPDATES', 'SPAM'], 'spam'],
  [['Label_7'], 'other'],
])('filed under %j is %s', (labels, placement) => {
  expect(placementByLabels(labels)).toBe(placement)
})

test('what does not come within a day is missing', () => {
  const sent_at = new Date('2026-03-02T10:00:00Z')
  const after = (hours: number) => new Date(sent_at.getTime() + hours * 3_600_000)
  const test = { error: null, arrived_at: null, sent_at }
  expect([placementState(test, after(23)), placementState(test, after(24))]).toEqual(['waiting', 'missing'])
  expect(placementState({ ...test, arrived_at: after(1) }, after(48))).toBe('arrived')
  expect(placementState({ ...test, error: '550 no' }, after(1))).toBe('not_sent')
})
