import { afterAll, beforeAll, expect, test } from 'vitest'
import { FindMailServers } from '#lib/contracts/senders/mailboxes'
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
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls' },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls' },
  })
  expect(dns.asked).toEqual([])
})

test('a domain of one’s own is at the provider whose servers take its mail', async () => {
  dns.zone['agency.example'] = { MX: [[1, 'agency-example.mail.protection.outlook.com']] }
  const found = await find('ana@agency.example')
  expect(found).toMatchObject({ found_by: 'mx', provider: 'Microsoft 365', imap: null })
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
    smtp: { host: 'out.self.example', port: 4650, security: 'tls' },
    imap: { host: 'in.self.example', port: 143, security: 'starttls' },
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
    smtp: null,
    imap: null,
  })
})

test('a record that says there is no such service gives none', async () => {
  dns.zone['_submissions._tcp.none.example'] = { SRV: [[0, 0, 0, '.']] }
  expect((await find('ana@none.example')).smtp).toBeNull()
})

test('what is no address is refused by its field', async () => {
  const { status, error } = await call(FindMailServers, { as, query: { address: 'ana' } })
  expect([status, error.details?.[0]?.loc]).toEqual([422, ['query', 'address']])
})
