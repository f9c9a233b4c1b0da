import { lookup as askMachine, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'

/**
 * Where the product may connect to when a user names the host (mail servers, webhooks). Without this check anybody with an
 * account could read the operator's own network through us.
 */
export type OutboundPolicy = {
  /** For self-hosters whose mail server is on the same network. */
  allow_private_hosts: boolean
  /** Endpoints of the operator's own, such as the sandbox: allowed whatever their address. */
  allowed_endpoints?: readonly { host: string; port: number }[]
}

export type Lookup = (host: string) => Promise<string[]>

export type ResolvedHost =
  | { ok: true; addresses: [string, ...string[]] }
  | { ok: false; reason: 'blocked' | 'not_found'; error: string }

// IANA special-purpose registries (RFC 6890 and its updates): nothing in them is a host on the internet.
const SPECIAL_IPV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Inside 2000::/3, the only global unicast block; Teredo and 6to4 carry an IPv4 address that could be private.
const SPECIAL_IPV6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [net, bits] of SPECIAL_IPV4) special.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of SPECIAL_IPV6) special.addSubnet(net, bits, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** False for everything private, loopback, link-local, multicast, mapped, translated or not an address. */
export function isPublicAddress(address: string) {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  if (family === 6) return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
  return false
}

/** Private names by RFC 6761, 6762, 8375 and common router defaults: they lead only to this machine or the local network. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|lan|intranet|home\.arpa)$/i

/** What the name alone shows; the addresses that DNS gives for other names are checked when they are connected to. */
export function namesPrivateHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(bare) ? !isPublicAddress(bare) : PRIVATE_NAME.test(bare) || !bare.includes('.')
}

const HOSTS = process.platform === 'win32' ? 'C:/Windows/System32/drivers/etc/hosts' : '/etc/hosts'
const PATIENCE = { timeout: 2_000, tries: 2, maxTimeout: 4_000 }

/**
 * Resolves names as the machine does, but without its own resolver function: each call of that holds one of the four threads
 * that Node has for everything, so a few names with silent servers would hold up everybody. Only names of the local network are
 * resolved with it (search domains, mDNS). `servers`: those of the machine by default.
 */
export const createLookup =
  (servers: readonly string[] = []): Lookup =>
  async (host) => {
    if (namesPrivateHost(host)) {
      const resolved = await askMachine(host, { all: true, order: 'ipv4first' })
      return resolved.map(({ address }) => address)
    }
    const written = await readHosts(host)
    if (written.length > 0) return written
    const resolver = new Resolver(PATIENCE)
    if (servers.length > 0) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const resolved = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (resolved.length === 0 && four.status === 'rejected') throw four.reason
    return resolved
  }

/** The entries of the hosts file for a name, which take precedence over DNS. */
async function readHosts(host: string): Promise<string[]> {
  const text = await readFile(HOSTS, 'utf8').catch(() => '')
  const name = host.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').split(/\s/).filter(Boolean)
    return isIP(address) && names.some((one) => one.toLowerCase() === name) ? [address] : []
  })
}

/** In words if DNS has no such name; any other error as the resolver reported it. */
const whyNot = (error: unknown): string =>
  error instanceof Error && 'code' in error && ['ENOTFOUND', 'ENODATA'].includes(String(error.code))
    ? 'DNS has no such name.'
    : String(error)

/**
 * Resolves a host once and keeps only the addresses the policy allows. Callers must connect to an
 * address given here, never to the name again: a second lookup may answer differently (DNS rebinding).
 */
export async function resolveHost(
  host: string,
  port: number,
  policy: OutboundPolicy,
  lookup: Lookup = createLookup(),
): Promise<ResolvedHost> {
  const bare = host.replace(/^\[|\]$/g, '')
  const blocked = { ok: false, reason: 'blocked', error: `${bare} is on a private network` } as const
  const own = policy.allowed_endpoints?.filter((endpoint) => endpoint.port === port) ?? []
  // Not resolved at all: whatever answers is on the local network, or does not exist.
  if (namesPrivateHost(bare) && !policy.allow_private_hosts && own.length === 0) return blocked
  let resolved: string[]
  try {
    resolved = isIP(bare) ? [bare] : await lookup(bare)
  } catch (error) {
    return { ok: false, reason: 'not_found', error: `Cannot find ${bare}: ${whyNot(error)}` }
  }
  const isAllowedEndpoint = (name: string) => own.some((endpoint) => endpoint.host === name)
  const trusted = policy.allow_private_hosts || isAllowedEndpoint(bare)
  const [first, ...rest] = resolved.filter(
    (address) => trusted || isAllowedEndpoint(address) || isPublicAddress(address),
  )
  if (first) return { ok: true, addresses: [first, ...rest] }
  if (resolved.length === 0) return { ok: false, reason: 'not_found', error: `${bare} has no address` }
  return blocked
}
