import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FindMailServers } from '#lib/contracts/senders/mailboxes'
import { createDnsProvider } from '#lib/providers/dns/driver'
import { findServers } from '#lib/services/senders/discovery/find-servers'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { createDnsServer } from '#tests/support/servers/dns'

const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
afterAll(() => dns.close())

let as: Awaited<ReturnType<typeof aUser>>
beforeAll(async () => {
  as = await aUser()
})

const find = async (address: string) => {
  const { status, body } = await call(FindMailServers, { as, query: { address } })
  expect(status).toBe(200)
  return body
}

test('an address of a known provider needs no look', async () => {
  dns.asked.length = 0
  expect(await find('Ana@Gmail.com')).toMatchObject({
    address: 'ana@gmail.com',
    found_by: 'domain',
    provider: 'Google',
    vendor: 'google',
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username: null },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls', username: null },
  })
  expect(dns.asked).toEqual([])
})

test('a domain of one’s own is at the provider whose servers take its mail', async () => {
  dns.zone['agency.example'] = { MX: [[1, 'agency-example.mail.protection.outlook.com']] }
  const found = await find('ana@agency.example')
  expect(found).toMatchObject({ found_by: 'mx', provider: 'Microsoft 365', vendor: 'microsoft', imap: null })
  expect(found.note).toContain('SMTP AUTH')
})

test('else the service records say, the encrypted ones first', async () => {
  dns.zone['self.example'] = { MX: [[10, 'mx.self.example']] }
  dns.zone['_submission._tcp.self.example'] = { SRV: [[0, 1, 587, 'plain.self.example']] }
  dns.zone['_submissions._tcp.self.example'] = {
    SRV: [
      [20, 1, 465, 'spare.self.example'],
      [10, 1, 4650, 'Out.self.example'],
    ],
  }
  dns.zone['_imap._tcp.self.example'] = { SRV: [[0, 1, 143, 'in.self.example']] }
  expect(await find('ana@self.example')).toEqual({
    address: 'ana@self.example',
    found_by: 'srv',
    provider: null,
    note: null,
    vendor: null,
    smtp: { host: 'out.self.example', port: 4650, security: 'tls', username: null },
    imap: { host: 'in.self.example', port: 143, security: 'starttls', username: null },
  })
})

test.each([
  ['nobody.example', undefined],
  ['broken.example', 'servfail'],
] as const)('of %s nothing is known, and that is no error', async (domain, zone) => {
  if (zone) dns.zone[domain] = zone
  expect(await find(`ana@${domain}`)).toEqual({
    address: `ana@${domain}`,
    found_by: null,
    provider: null,
    note: null,
    vendor: null,
    smtp: null,
    imap: null,
  })
})

test('a record that says there is no such service gives none', async () => {
  dns.zone['_submissions._tcp.none.example'] = { SRV: [[0, 0, 0, '.']] }
  expect((await find('ana@none.example')).smtp).toBeNull()
})

describe('what the domain says goes before what is known of others, and that before a guess', () => {
  const DOCUMENT = `<clientConfig version="1.1"><outgoingServer type="smtp"><hostname>smtp.host.example</hostname>
    <port>465</port><socketType>SSL</socketType><username>%EMAILLOCALPART%</username></outgoingServer></clientConfig>`
  const REPLY = `<Autodiscover><Protocol><Type>SMTP</Type><Server>mail.host.example</Server><Port>587</Port></Protocol></Autodiscover>`
  const look = (domain: string, said: { autoconfig?: string; autodiscover?: string } = {}) =>
    findServers(`ana@${domain}`, createDnsProvider({ servers: [dns.server], ask_authoritative: false }), {
      autoconfig: async () => said.autoconfig ?? null,
      autodiscover: async () => said.autodiscover ?? null,
    })

  test('service records before documents, and autoconfiguration before Autodiscover', async () => {
    dns.zone['own.example'] = { MX: [[1, 'aspmx.l.google.com']] }
    const both = { autoconfig: DOCUMENT, autodiscover: REPLY }
    expect(await look('own.example', both)).toMatchObject({
      found_by: 'autoconfig',
      // Its mail is at Google nevertheless, where it can be connected without a password.
      vendor: 'google',
      smtp: { host: 'smtp.host.example', username: 'ana' },
    })
    expect(await look('own.example', { autodiscover: REPLY })).toMatchObject({
      found_by: 'autodiscover',
      smtp: { host: 'mail.host.example', port: 587, security: 'starttls' },
    })
    expect(await look('own.example')).toMatchObject({ found_by: 'mx', provider: 'Google' })
    dns.zone['_submissions._tcp.own.example'] = { SRV: [[0, 1, 465, 'out.own.example']] }
    expect(await look('own.example', both)).toMatchObject({
      found_by: 'srv',
      smtp: { host: 'out.own.example' },
    })
  })

  test('a guess is a usual name that exists, or the server that takes the mail, where it is of the domain', async () => {
    dns.zone['small.example'] = { MX: [[10, 'mx1.small.example']] }
    dns.zone['mx1.small.example'] = { A: ['192.0.2.1'] }
    dns.zone['imap.small.example'] = { A: ['192.0.2.2'] }
    expect(await look('small.example')).toMatchObject({
      found_by: 'guess',
      smtp: { host: 'mx1.small.example', port: 465, security: 'tls' },
      imap: { host: 'imap.small.example', port: 993, security: 'tls' },
    })
    dns.zone['parked.example'] = { MX: [[10, 'mx.parking.test']] }
    dns.zone['mx.parking.test'] = { A: ['192.0.2.3'] }
    expect(await look('parked.example')).toMatchObject({ found_by: null, smtp: null })
    dns.zone['smtp.silent.example'] = { A: ['192.0.2.4'] }
    expect(await look('silent.example')).toMatchObject({ found_by: null, smtp: null })
  })
})

test('what is no address is refused by its field', async () => {
  const { status, error } = await call(FindMailServers, { as, query: { address: 'ana' } })
  expect([status, error.details?.[0]?.loc]).toEqual([422, ['query', 'address']])
})
