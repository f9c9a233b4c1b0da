import {
  findMailProvider,
  findProviderByMx,
  type MailProvider,
  type MailServer,
} from '#lib/domain/domains/mail-providers'
import type { DnsProvider } from '#lib/providers/dns/port'

type Found = {
  address: string
  found_by: 'domain' | 'mx' | 'srv' | null
  provider: string | null
  note: string | null
  smtp: MailServer | null
  imap: MailServer | null
}

/** Of each service, the one that is encrypted from its first byte goes before the other (RFC 8314). */
const SERVICES = {
  smtp: [
    { name: '_submissions._tcp', security: 'tls' },
    { name: '_submission._tcp', security: 'starttls' },
  ],
  imap: [
    { name: '_imaps._tcp', security: 'tls' },
    { name: '_imap._tcp', security: 'starttls' },
  ],
} as const

/** Where an address sends and receives, as far as DNS tells. A failed look finds nothing: the person can still type. */
export async function findServers(address: string, dns: DnsProvider): Promise<Found> {
  const sure = findMailProvider(address)
  if (sure) return atProvider(address, 'domain', sure)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const mx = await dns.mx(domain)
  const taken = mx.outcome === 'found' ? findProviderByMx(mx.records) : null
  if (taken) return atProvider(address, 'mx', taken)
  const [smtp, imap] = await Promise.all([
    findService(domain, SERVICES.smtp, dns),
    findService(domain, SERVICES.imap, dns),
  ])
  // Without a way out there is no mailbox to connect.
  if (!smtp) return { address, found_by: null, provider: null, note: null, smtp: null, imap: null }
  return { address, found_by: 'srv', provider: null, note: null, smtp, imap }
}

const atProvider = (
  address: string,
  found_by: 'domain' | 'mx',
  { name, note, smtp, imap }: MailProvider,
): Found => ({
  address,
  found_by,
  provider: name,
  note,
  smtp,
  imap,
})

type Service = { name: string; security: MailServer['security'] }

async function findService(
  domain: string,
  services: readonly Service[],
  dns: DnsProvider,
): Promise<MailServer | null> {
  const answers = await Promise.all(
    services.map(async ({ name, security }) => ({ security, answer: await dns.srv(`${name}.${domain}`) })),
  )
  for (const { security, answer } of answers)
    if (answer.outcome === 'found' && answer.records[0]) return { ...answer.records[0], security }
  return null
}
