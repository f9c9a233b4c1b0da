import { isIP } from 'node:net'
import { dmarcPolicy, isDmarc } from '#lib/domain/domains/dmarc'
import {
  checkBimi,
  checkCertificate,
  checkListings,
  checkMtaSts,
  checkTlsRpt,
  FURTHER_CHECKS,
  type FurtherCheck,
  type FurtherFinding,
  isMtaSts,
  type Listing,
  listedName,
  unknownFinding,
} from '#lib/domain/domains/further-checks'
import { trackingName } from '#lib/domain/domains/setup-records'
import { env } from '#lib/env'
import type { DnsProvider } from '#lib/providers/dns/port'
import { createOwnHosts, type OwnHosts } from '#lib/providers/mail-config/certificate'
import { isPublicAddress } from '#lib/providers/outbound'
import type { Looked, Server } from '#lib/services/domains/dns-lookups'

export type FurtherWanted = {
  domain: string
  servers: Server[]
  looked: { dmarc?: Looked; mx?: Looked; tracking?: Looked }
  now: Date
}

/** Blocklists that this instance's operator configured; none by default. */
type Lists = { domains: readonly string[]; addresses: readonly string[] }

/** Resolves host names through the same DNS as the rest of the check. */
const ownHosts = (dns: DnsProvider): OwnHosts =>
  createOwnHosts({
    policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS },
    lookup: async (host) => {
      const answer = await dns.addresses(host)
      return answer.outcome === 'found' ? answer.records : []
    },
  })

const foundIn = (looked: Looked | undefined): string[] =>
  looked && 'answer' in looked ? looked.answer.found : []

/** Checks that no provider requires. Never throws for failures of DNS or the domain's hosts. */
export async function runFurtherChecks(
  dns: DnsProvider,
  wanted: FurtherWanted,
  hosts: OwnHosts = ownHosts(dns),
  lists: Lists = { domains: env().DNSBL_DOMAINS, addresses: env().DNSBL_ADDRESSES },
): Promise<FurtherCheck[]> {
  const { domain, servers, looked, now } = wanted
  const policy = dmarcPolicy(foundIn(looked.dmarc).find(isDmarc) ?? '')
  const tracks = looked.tracking && 'answer' in looked.tracking && looked.tracking.answer.status === 'found'
  const track = trackingName(domain)
  const all: { [id in FurtherCheck['id']]: Promise<FurtherFinding> | null } = {
    mta_sts: mtaSts(dns, hosts, wanted),
    tls_rpt: ofTexts(dns, `_smtp._tls.${domain}`, checkTlsRpt),
    bimi: ofTexts(dns, `default._bimi.${domain}`, (txts) => checkBimi(txts, policy)),
    blocklist_domain: lists.domains.length > 0 ? domainListings(dns, domain, lists.domains) : null,
    blocklist_servers: lists.addresses.length > 0 ? serverListings(dns, servers, lists.addresses) : null,
    tracking_certificate: tracks
      ? hosts.certificate(track).then((seen) => checkCertificate(track, seen, now))
      : null,
  }
  const checks = await Promise.all(
    FURTHER_CHECKS.map(async (id) => {
      const finding = await all[id]
      return finding ? [{ id, ...finding }] : []
    }),
  )
  return checks.flat()
}

async function ofTexts(
  dns: DnsProvider,
  name: string,
  judge: (txts: string[]) => FurtherFinding | Promise<FurtherFinding>,
): Promise<FurtherFinding> {
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return unknownFinding(`DNS did not answer: ${answer.error}`)
  return judge(answer.outcome === 'found' ? answer.records : [])
}

const mtaSts = (dns: DnsProvider, hosts: OwnHosts, { domain, looked }: FurtherWanted) =>
  ofTexts(dns, `_mta-sts.${domain}`, async (txts) => {
    const file = txts.some(isMtaSts) ? await hosts.mtaSts(domain) : null
    const mx = foundIn(looked.mx).flatMap((value) => value.split(' ')[1] ?? [])
    return checkMtaSts(txts, file, mx)
  })

/** Null if the list could not be queried. */
async function listing(dns: DnsProvider, what: string, name: string, zone: string): Promise<Listing> {
  const answer = await dns.addresses(name)
  const answers = answer.outcome === 'found' ? answer.records : []
  return { what, zone, answers: answer.outcome === 'failed' ? null : answers }
}

const domainListings = async (dns: DnsProvider, domain: string, zones: readonly string[]) =>
  checkListings(await Promise.all(zones.map((zone) => listing(dns, domain, `${domain}.${zone}`, zone))))

const MOST_SERVERS = 10

/** Checks the servers that mail is submitted to. Shared provider servers say little about a domain; a self-hosted one says everything. */
async function serverListings(dns: DnsProvider, servers: Server[], zones: readonly string[]) {
  const addressed = await Promise.all(
    servers.slice(0, MOST_SERVERS).map(async ({ host }) => {
      const answer = isIP(host) ? null : await dns.addresses(host)
      const addresses = answer?.outcome === 'found' ? answer.records : isIP(host) ? [host] : []
      return addresses.filter(isPublicAddress).slice(0, 2)
    }),
  )
  const asked = [...new Set(addressed.flat())].flatMap((address) =>
    zones.map((zone) => ({ address, zone, name: listedName(address, zone) })),
  )
  return checkListings(
    await Promise.all(
      asked.flatMap(({ address, zone, name }) => (name ? [listing(dns, address, name, zone)] : [])),
    ),
  )
}
