import { env } from '#lib/env'
import { createDnsProvider } from '#lib/providers/dns/driver'
import type { DnsProvider } from '#lib/providers/dns/port'

/** Asks where the environment says. */
export function dnsProvider(): DnsProvider {
  const { DNS_SERVERS, DNS_ASK_AUTHORITATIVE } = env()
  return createDnsProvider({ servers: DNS_SERVERS, ask_authoritative: DNS_ASK_AUTHORITATIVE })
}
