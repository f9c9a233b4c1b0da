import { afterAll } from 'vitest'
import { CreateDomain, ReadDomainSetup, VerifyDomain } from '#lib/contracts/domains/domains'
import { call } from '#tests/support/call'
import { createDnsServer } from '#tests/support/servers/dns'

export const dns = await createDnsServer()
process.env.DNS_SERVERS = dns.server
process.env.TRACKING_HOST = 'links.opener.example'
process.env.BOUNCE_HOST = 'mx.opener.example'
afterAll(() => dns.close())

export type Owner = { workspace_id: string; user_id: string }
export const added = async (owner: Owner, name: string) =>
  (await call(CreateDomain, { as: owner, body: { domain: name } })).body
export const setup = async (owner: Owner, params: { domain_id: string }) =>
  (await call(ReadDomainSetup, { as: owner, params })).body
export const verify = (owner: Owner, params: { domain_id: string }) =>
  call(VerifyDomain, { as: owner, params })

/** Publishes the DNS records that setup asks for, as an owner would. */
export async function publish(
  owner: Owner,
  params: { domain_id: string },
  purposes = ['spf', 'dkim', 'dmarc', 'mx'],
) {
  const { records } = await setup(owner, params)
  for (const { purpose, type, host, value, strings } of records) {
    if (!purposes.includes(purpose)) continue
    const before = dns.zone[host]
    const rest = typeof before === 'object' ? before : {}
    if (type === 'TXT') dns.zone[host] = { ...rest, TXT: [strings] }
    if (type === 'CNAME') dns.zone[host] = { CNAME: value }
    const [priority = '', exchange = ''] = value.split(' ')
    if (type === 'MX') dns.zone[host] = { ...rest, MX: [[Number(priority), exchange]] }
  }
}
export const recordOf = async (owner: Owner, params: { domain_id: string }, purpose: string) => {
  const record = (await setup(owner, params)).records.find((one) => one.purpose === purpose)
  if (!record) throw new Error(`no ${purpose} record`)
  return record
}
