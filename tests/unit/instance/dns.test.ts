import { createSocket } from 'node:dgram'
import { afterAll, describe, expect, test } from 'vitest'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { createDnsServer } from '#tests/support/servers/dns'

const LONG = `v=DKIM1; k=rsa; p=${'A'.repeat(380)}`
const dns = await createDnsServer({
  'example.com': {
    TXT: ['v=spf1 mx ~all', 'some-verification=1'],
    MX: [
      [20, 'mx2.example.com'],
      [10, 'MX1.Example.com'],
    ],
  },
  'k1._domainkey.example.com': { TXT: [[LONG.slice(0, 255), LONG.slice(255)]] },
  'k2._domainkey.example.com': { CNAME: 'k2.keys.example.net' },
  'k2.keys.example.net': { CNAME: 'k2.far.example.org' },
  'k2.far.example.org': { TXT: ['v=DKIM1; p=AAAA'] },
  '*.wild.example.com': { TXT: ['anything'] },
  'many.example.com': { TXT: Array.from({ length: 40 }, (_, index) => `text ${index} ${'x'.repeat(100)}`) },
  'broken.example.com': 'servfail',
  'closed.example.com': 'refused',
  'slow.example.com': 'silent',
  'null.example.com': { MX: [[0, '']] },
  'smtp.example.com': { A: ['192.0.2.7'], AAAA: ['2001:db8::7'] },
  'four.example.com': { A: ['192.0.2.8'] },
  '7.2.0.192.in-addr.arpa': { PTR: ['Smtp.example.com'] },
})
afterAll(() => dns.close())
const provider = createDnsProvider({ servers: [dns.server], timeout_ms: 20_000 })
const impatient = createDnsProvider({ servers: [dns.server], timeout_ms: 250 })

describe('what is there', () => {
  test('texts of one name, each whole', async () => {
    expect(await provider.txt('example.com')).toEqual({
      outcome: 'found',
      records: expect.arrayContaining(['v=spf1 mx ~all', 'some-verification=1']),
    })
  })

  test('a record of several strings is one text, without anything between them', async () => {
    expect(await provider.txt('k1._domainkey.example.com')).toEqual({ outcome: 'found', records: [LONG] })
  })

  test('a chain of CNAMEs is followed to the text', async () => {
    expect(await provider.txt('k2._domainkey.example.com')).toEqual({
      outcome: 'found',
      records: ['v=DKIM1; p=AAAA'],
    })
  })

  test('an answer too large for UDP is asked again over TCP', async () => {
    const answer = await provider.txt('many.example.com')
    expect(answer.outcome === 'found' && answer.records.length).toBe(40)
  })

  test('a wildcard answers every name below', async () => {
    expect(await provider.txt('_dmarc.wild.example.com')).toEqual({ outcome: 'found', records: ['anything'] })
  })

  test('mail exchangers by priority, in lower case; a null MX as an empty name', async () => {
    expect(await provider.mx('example.com')).toEqual({
      outcome: 'found',
      records: [
        { priority: 10, exchange: 'mx1.example.com' },
        { priority: 20, exchange: 'mx2.example.com' },
      ],
    })
    expect(await provider.mx('null.example.com')).toEqual({
      outcome: 'found',
      records: [{ priority: 0, exchange: '' }],
    })
  })

  test('addresses of both families, and names of an address', async () => {
    expect(await provider.addresses('smtp.example.com')).toEqual({
      outcome: 'found',
      records: ['192.0.2.7', '2001:db8::7'],
    })
    expect(await provider.addresses('four.example.com')).toEqual({ outcome: 'found', records: ['192.0.2.8'] })
    expect(await provider.reverse('192.0.2.7')).toEqual({ outcome: 'found', records: ['smtp.example.com'] })
  })
})

describe('what is not there is told apart from what nobody knows', () => {
  test.each([
    { name: 'nothing.example.com', expected: { outcome: 'none', reason: 'no_such_name' } },
    { name: 'smtp.example.com', expected: { outcome: 'none', reason: 'no_such_record' } },
    { name: 'broken.example.com', expected: { outcome: 'failed', reason: 'server_failed' } },
    { name: 'closed.example.com', expected: { outcome: 'failed', reason: 'refused' } },
  ])('$name: $expected.reason', async ({ name, expected }) => {
    expect(await provider.txt(name)).toMatchObject(expected)
    expect(await provider.mx(name)).toMatchObject(expected)
  })

  test('a server that says nothing', async () => {
    const expected = { outcome: 'failed', reason: 'timeout' }
    expect(await impatient.txt('slow.example.com')).toMatchObject(expected)
    expect(await impatient.mx('slow.example.com')).toMatchObject(expected)
  })

  test('a server that is not there', async () => {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const { port } = socket.address()
    await new Promise<void>((resolve) => socket.close(() => resolve()))
    const nobody = createDnsProvider({ servers: [`127.0.0.1:${port}`], timeout_ms: 250 })
    const answer = await nobody.txt('example.com')
    expect(answer.outcome).toBe('failed')
  })
})

test('the domain’s own servers are asked only where they are on the internet; else the resolver answers', async () => {
  dns.zone['example.com'] = { ...(dns.zone['example.com'] as object), NS: ['ns1.example.com'] }
  dns.zone['ns1.example.com'] = { A: ['127.0.0.1'] }
  const careful = createDnsProvider({ servers: [dns.server], timeout_ms: 20_000, ask_authoritative: true })
  expect(await careful.txt('k1._domainkey.example.com')).toMatchObject({ outcome: 'found', records: [LONG] })
  expect(dns.asked).toContainEqual({ name: 'ns1.example.com', type: 'A' })
})
