import { env } from '#lib/env'
import { timed } from '#lib/metrics'
import { createDnsProvider } from '#lib/providers/dns/driver'
import type { DnsProvider } from '#lib/providers/dns/port'

/** The DNS provider that the environment configures. */
export function dnsProvider(): DnsProvider {
  const { DNS_SERVERS, DNS_ASK_AUTHORITATIVE } = env()
  return timed('dns', createDnsProvider({ servers: DNS_SERVERS, ask_authoritative: DNS_ASK_AUTHORITATIVE }))
}
