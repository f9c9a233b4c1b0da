import {
  findMailProvider,
  findProviderByMx,
  type MailProvider,
  type MailServer,
} from '#lib/domain/domains/mail-providers'
import { readServers, type Servers, type SignInServer } from '#lib/domain/domains/server-documents'
import type { DnsProvider, MxRecord } from '#lib/providers/dns/port'
import type { MailConfig } from '#lib/providers/mail-config/port'

type FoundBy = 'domain' | 'srv' | 'autoconfig' | 'autodiscover' | 'mx' | 'guess'

type Found = Servers & {
  address: string
  found_by: FoundBy | null
  provider: string | null
  note: string | null
  /** The vendor, if the mailbox connects by OAuth instead of a password. */
  vendor: MailProvider['vendor']
}

/** For each service, implicit TLS is preferred to STARTTLS (RFC 8314). */
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

const NOTHING: Servers = { smtp: null, imap: null }

/**
 * The servers of an address. What the domain itself publishes takes precedence over what is known about the provider in its MX, and that
 * over a guess. A failed lookup finds nothing: the person can still enter the servers.
 */
export async function findServers(address: string, dns: DnsProvider, config: MailConfig): Promise<Found> {
  const sure = findMailProvider(address)
  if (sure) return atProvider(address, 'domain', sure)
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const read = (document: string | null) => (document === null ? NOTHING : readServers(document, address))
  const [mx, srv, autoconfig, autodiscover] = await Promise.all([
    dns.mx(domain).then((answer) => (answer.outcome === 'found' ? answer.records : [])),
    findServices(domain, dns),
    config.autoconfig(address).then(read),
    config.autodiscover(address).then(read),
  ])
  const taken = findProviderByMx(mx)
  const vendor = taken?.vendor ?? null
  const said: { found_by: FoundBy; servers: Servers }[] = [
    { found_by: 'srv', servers: srv },
    { found_by: 'autoconfig', servers: autoconfig },
    { found_by: 'autodiscover', servers: autodiscover },
  ]
  // Without a server to send there is no mailbox to connect.
  for (const { found_by, servers } of said)
    if (servers.smtp) return { address, found_by, provider: null, note: null, vendor, ...servers }
  if (taken) return atProvider(address, 'mx', taken)
  const guessed = await guess(domain, mx, dns)
  const found_by = guessed.smtp ? 'guess' : null
  return { address, found_by, provider: null, note: null, vendor: null, ...guessed }
}

const signedIn = (server: MailServer | null): SignInServer | null => server && { ...server, username: null }

const atProvider = (
  address: string,
  found_by: FoundBy,
  { name, note, vendor, smtp, imap }: MailProvider,
): Found => ({
  address,
  found_by,
  provider: name,
  note,
  vendor,
  smtp: signedIn(smtp),
  imap: signedIn(imap),
})

async function findServices(domain: string, dns: DnsProvider): Promise<Servers> {
  const [smtp, imap] = await Promise.all([
    findService(domain, SERVICES.smtp, dns),
    findService(domain, SERVICES.imap, dns),
  ])
  return { smtp, imap }
}

type Service = { name: string; security: MailServer['security'] }

async function findService(
  domain: string,
  services: readonly Service[],
  dns: DnsProvider,
): Promise<SignInServer | null> {
  const answers = await Promise.all(
    services.map(async ({ name, security }) => ({ security, answer: await dns.srv(`${name}.${domain}`) })),
  )
  for (const { security, answer } of answers)
    if (answer.outcome === 'found' && answer.records[0])
      return { ...answer.records[0], security, username: null }
  return null
}

/** The usual host names, and the MX host if it belongs to the domain. */
async function guess(domain: string, mx: readonly MxRecord[], dns: DnsProvider): Promise<Servers> {
  const [best] = mx.toSorted((one, other) => one.priority - other.priority)
  // A domain that accepts no mail has no mailboxes.
  if (!best) return NOTHING
  const own = best.exchange.endsWith(`.${domain}`) ? [best.exchange] : []
  const first = async (hosts: string[]) => {
    const answers = await Promise.all(hosts.map((host) => dns.addresses(host)))
    return hosts.find((_, i) => answers[i]?.outcome === 'found') ?? null
  }
  const [out, into] = await Promise.all([
    first([`smtp.${domain}`, `mail.${domain}`, ...own]),
    first([`imap.${domain}`, `mail.${domain}`, ...own]),
  ])
  return {
    smtp: out === null ? null : { host: out, port: 465, security: 'tls', username: null },
    imap: into === null ? null : { host: into, port: 993, security: 'tls', username: null },
  }
}
