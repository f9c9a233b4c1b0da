import { expect, test } from 'vitest'
import {
  checkBimi,
  checkCertificate,
  checkListings,
  checkMtaSts,
  checkTlsRpt,
  listedName,
} from '#lib/domain/domains/further-checks'

const STS = ['v=STSv1; id=20260301;']
const policy = (mode: string, mx = ['mx1.sender.test', '*.backup.test']) => ({
  text: `version: STSv1\r\nmode: ${mode}\r\n${mx.map((host) => `mx: ${host}`).join('\r\n')}\r\nmax_age: 604800\r\n`,
})
const MX = ['mx1.sender.test', 'a.backup.test']

test.each([
  ['no record', [], null, MX, 'absent'],
  ['another record', ['v=STSv11; id=1'], null, MX, 'absent'],
  ['two records', [...STS, ...STS], policy('enforce'), MX, 'problem'],
  ['no id', ['v=STSv1;'], policy('enforce'), MX, 'problem'],
  ['no file', STS, { error: 'it answers 404' }, MX, 'problem'],
  ['an enforced policy', STS, policy('enforce'), MX, 'ok'],
  ['a policy on trial', STS, policy('testing'), MX, 'ok'],
  ['one that was switched off', STS, policy('none', []), MX, 'ok'],
  ['a server that it leaves out', STS, policy('enforce', ['mx1.sender.test']), MX, 'problem'],
  ['a star that stands for one label only', STS, policy('enforce'), ['a.b.backup.test'], 'problem'],
  ['another document', STS, { text: '<html>' }, MX, 'problem'],
  ['an unknown mode', STS, policy('on'), MX, 'problem'],
] as const)('MTA-STS: %s', (_, txts, file, mx, state) => {
  expect(checkMtaSts(txts, file, mx).state).toBe(state)
})

test.each([
  [[], 'absent'],
  [['v=TLSRPTv1; rua=mailto:tls@sender.test'], 'ok'],
  [['v=TLSRPTv1; rua=mailto:tls@sender.test,https://reports.test/v1'], 'ok'],
  [['v=TLSRPTv1; rua=tls@sender.test'], 'problem'],
  [['v=TLSRPTv1;'], 'problem'],
] as const)('TLS-RPT: %j is %s', (txts, state) => {
  expect(checkTlsRpt(txts).state).toBe(state)
})

const LOGO = 'v=BIMI1; l=https://sender.test/logo.svg'
test.each([
  [[], 'reject', 'absent'],
  [['v=BIMI1; l=; a=;'], 'reject', 'absent'],
  [[LOGO], 'none', 'problem'],
  [[LOGO], null, 'problem'],
  [[LOGO], 'quarantine', 'ok'],
  [[`${LOGO}; a=https://sender.test/logo.pem`], 'reject', 'ok'],
  [['v=BIMI1; l=http://sender.test/logo.svg'], 'reject', 'problem'],
  [[LOGO, LOGO], 'reject', 'problem'],
] as const)('BIMI: %j under %s is %s', (txts, dmarc, state) => {
  expect(checkBimi(txts, dmarc).state).toBe(state)
})

test.each([
  ['192.0.2.99', '99.2.0.192.zen.test'],
  ['2001:db8::2', '2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.zen.test'],
  ['nobody', null],
  ['1::2::3', null],
])('%s is asked for as %s', (address, name) => {
  expect(listedName(address, 'zen.test')).toBe(name)
})

const listing = (answers: string[] | null, zone = 'zen.test') => ({ what: '192.0.2.1', zone, answers })
test.each([
  ['on no list', [listing([])], 'ok'],
  ['on one of two', [listing([]), listing(['127.0.0.4'], 'b.test')], 'problem'],
  ['a list that refuses this resolver', [listing(['127.255.255.254'])], 'unknown'],
  ['a resolver that invents addresses', [listing(['198.51.100.7'])], 'unknown'],
  ['no answer', [listing(null)], 'unknown'],
  ['one list of two answers', [listing([]), listing(null, 'b.test')], 'ok'],
  ['nothing to ask about', [], 'unknown'],
] as const)('blocklists: %s', (_, listings, state) => {
  expect(checkListings(listings).state).toBe(state)
})

test('a certificate is in order, ends soon, is refused, or nobody could say', () => {
  const now = new Date('2026-03-02T10:00:00Z')
  const until = (date: string) =>
    checkCertificate('track.sender.test', { valid_to: new Date(date) }, now).state
  expect([until('2026-05-01'), until('2026-03-10'), until('2026-01-01')]).toEqual([
    'ok',
    'problem',
    'problem',
  ])
  const failed = (is_reachable: boolean) =>
    checkCertificate('track.sender.test', { error: 'certificate has expired', is_reachable }, now).state
  expect([failed(true), failed(false)]).toEqual(['problem', 'unknown'])
})
