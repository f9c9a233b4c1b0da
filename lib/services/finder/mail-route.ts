import type { MailRoute } from '#lib/domain/finder/verdict'
import type { DnsProvider } from '#lib/providers/dns/port'

/** Where mail for a domain is delivered, by DNS. If DNS does not answer, the route is `unknown`, never a missing server. */
export async function mailRoute(dns: DnsProvider, domain: string): Promise<MailRoute> {
  const mx = await dns.mx(domain)
  if (mx.outcome === 'failed') return { kind: 'unknown', error: mx.reason }
  if (mx.outcome === 'found') {
    const hosts = mx.records.map(({ exchange }) => exchange).filter((host) => host !== '' && host !== '.')
    return hosts.length > 0 ? { kind: 'servers', hosts } : { kind: 'refuses' }
  }
  const address = await dns.addresses(domain)
  if (address.outcome === 'found') return { kind: 'implicit', hosts: [domain] }
  if (address.outcome === 'failed') return { kind: 'unknown', error: address.reason }
  return { kind: mx.reason === 'no_such_name' ? 'no_domain' : 'none' }
}

export const routeHosts = (route: MailRoute): string[] => ('hosts' in route ? route.hosts : [])
