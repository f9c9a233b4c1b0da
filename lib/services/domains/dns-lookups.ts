import { isIP } from 'node:net'
import { checkDkim, dkimHost } from '#lib/domain/domains/dkim-record'
import { checkDmarc, isDmarc } from '#lib/domain/domains/dmarc'
import { organizationalDomain } from '#lib/domain/domains/domain-name'
import type { FurtherCheck } from '#lib/domain/domains/further-checks'
import { findMailHost, includeCovers, mechanismFor } from '#lib/domain/domains/mail-hosts'
import { finding, type Purpose, type RecordFinding } from '#lib/domain/domains/record-check'
import type { ServerFacts } from '#lib/domain/domains/requirements'
import { bounceName, bounceSpf, reportsName, trackingName } from '#lib/domain/domains/setup-records'
import { checkSpf, isSpf, MAX_SPF_LOOKUPS, mergeSpf } from '#lib/domain/domains/spf'
import type { DnsAnswer, DnsProvider } from '#lib/providers/dns/port'
import { isPublicAddress } from '#lib/providers/outbound'
import { walkSpf } from '#lib/services/domains/spf-walk'

export type Server = { host: string; encrypted: boolean }
type Key = { selector: string; public_key: string }

/** What a domain's check looks up. */
export type Wanted = {
  domain: string
  key: Key
  next_key: Key | null
  /** The servers of the domain's mailboxes. */
  servers: Server[]
  tracking_host: string | null
  bounce_host: string | null
}

/** A finding, or why there is none. */
export type Looked = { answer: RecordFinding } | { failure: string }

export type Facts = { servers: ServerFacts[]; further: FurtherCheck[] }

const failed = (answer: { error: string }): Looked => ({ failure: answer.error })

/** The TXT records of one name, or null after a failure, which `Looked` reports. */
async function texts(
  dns: DnsProvider,
  name: string,
  judge: (values: string[]) => RecordFinding | Promise<Looked>,
): Promise<Looked> {
  const answer = await dns.txt(name)
  if (answer.outcome === 'failed') return failed(answer)
  const judged = await judge(answer.outcome === 'found' ? answer.records : [])
  return 'status' in judged ? { answer: judged } : judged
}

/** Looks up every record of a domain at once. Never throws for DNS failures. */
export async function lookUp(dns: DnsProvider, wanted: Wanted) {
  const { domain, key, next_key, tracking_host, bounce_host } = wanted
  const dkim = ({ selector, public_key }: Key) =>
    texts(dns, dkimHost(selector, domain), (values) => checkDkim(values, public_key))
  const [spf, signs, follows, dmarc, mx, tracking, reports, return_path_mx, return_path_spf, servers] =
    await Promise.all([
      lookForSpf(dns, wanted),
      dkim(key),
      next_key && dkim(next_key),
      lookForDmarc(dns, domain),
      lookForMx(dns, domain),
      tracking_host ? lookForCname(dns, trackingName(domain), tracking_host) : null,
      tracking_host ? lookForCname(dns, reportsName(domain), tracking_host) : null,
      bounce_host ? lookForBounceMx(dns, bounceName(domain), bounce_host) : null,
      bounce_host ? lookForBounceSpf(dns, domain) : null,
      Promise.all(wanted.servers.map((server) => serverFacts(dns, server))),
    ])
  const looked: Partial<Record<Purpose, Looked>> = {
    spf,
    dkim: signs,
    dmarc,
    mx,
    ...(follows && { dkim_next: follows }),
    ...(tracking && { tracking }),
    ...(reports && { reports }),
    ...(return_path_mx && { return_path_mx }),
    ...(return_path_spf && { return_path_spf }),
  }
  return { looked, servers }
}

function lookForSpf(dns: DnsProvider, { domain, servers }: Wanted): Promise<Looked> {
  return texts(dns, domain, async (values) => {
    const [record, another] = values.filter(isSpf)
    if (!record || another !== undefined) return { answer: checkSpf(values, null, []) }
    const walk = await walkSpf(dns, domain, record)
    if (walk.failure) return { failure: walk.failure }
    const needs = []
    for (const { host } of servers) {
      const answer = findMailHost(host) ? null : await findAddresses(dns, host)
      if (answer?.outcome === 'failed') return failed(answer)
      const byAddress = answer?.outcome === 'found' && answer.records.some(walk.permits)
      const covered = byAddress || walk.includes.some((include) => includeCovers(include, host))
      needs.push({ mechanism: mechanismFor(host), covered })
    }
    const judged = checkSpf(values, walk, needs)
    return { answer: await withCostOfMerge(dns, domain, record, needs, judged) }
  })
}

/** Adds a warning if the merged record that the check will advise exceeds the lookup limit. */
async function withCostOfMerge(
  dns: DnsProvider,
  domain: string,
  record: string,
  needs: { mechanism: string; covered: boolean }[],
  judged: RecordFinding,
): Promise<RecordFinding> {
  const absent = needs.filter(({ covered }) => !covered).map(({ mechanism }) => mechanism)
  if (absent.length === 0 || judged.status !== 'mismatch') return judged
  const { problem, lookups, failure } = await walkSpf(dns, domain, mergeSpf([record], absent))
  // The cost cannot be determined.
  if (failure) return judged
  const cost = problem
    ? `With it: ${problem}`
    : `With it ${lookups} of ${MAX_SPF_LOOKUPS} DNS lookups would be used.`
  return { ...judged, note: `${judged.note ?? ''} ${cost}`.trim() }
}

async function findAddresses(dns: DnsProvider, host: string): Promise<DnsAnswer<string>> {
  return isIP(host) ? { outcome: 'found', records: [host] } : dns.addresses(host)
}

/** A subdomain without a record of its own falls under that of the registered domain (RFC 7489, section 6.6.3). */
async function lookForDmarc(dns: DnsProvider, domain: string): Promise<Looked> {
  const above = organizationalDomain(domain)
  return texts(dns, `_dmarc.${domain}`, async (values) => {
    if (values.some(isDmarc) || above === domain) return { answer: checkDmarc(values) }
    return texts(dns, `_dmarc.${above}`, (inherited) =>
      inherited.some(isDmarc) ? checkDmarc(inherited, above) : checkDmarc(values),
    )
  })
}

async function lookForMx(dns: DnsProvider, domain: string): Promise<Looked> {
  const answer = await dns.mx(domain)
  if (answer.outcome === 'failed') return failed(answer)
  if (answer.outcome === 'none') return { answer: finding('missing', [], 'The domain has no mail server.') }
  const values = answer.records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
  // RFC 7505: a single "0 ." means that the domain accepts no mail.
  if (answer.records.every(({ exchange }) => exchange === ''))
    return {
      answer: finding('mismatch', values, 'The domain accepts no email (null MX), so replies are lost.'),
    }
  return { answer: finding('found', values) }
}

async function lookForCname(dns: DnsProvider, name: string, target: string): Promise<Looked> {
  const answer = await dns.cname(name)
  if (answer.outcome === 'failed') return failed(answer)
  if (answer.outcome === 'found')
    return { answer: finding(answer.records.includes(target) ? 'found' : 'mismatch', answer.records) }
  const addresses = await dns.addresses(name)
  if (addresses.outcome === 'found')
    return { answer: finding('mismatch', addresses.records, 'It has address records instead of a CNAME.') }
  return { answer: finding('missing') }
}

async function lookForBounceMx(dns: DnsProvider, name: string, host: string): Promise<Looked> {
  const answer = await dns.mx(name)
  if (answer.outcome === 'failed') return failed(answer)
  if (answer.outcome === 'none') return { answer: finding('missing') }
  const values = answer.records.map(({ priority, exchange }) => `${priority} ${exchange}`)
  const isOurs = answer.records.every(({ exchange }) => exchange === host)
  return { answer: finding(isOurs ? 'found' : 'mismatch', values) }
}

function lookForBounceSpf(dns: DnsProvider, domain: string): Promise<Looked> {
  return texts(dns, bounceName(domain), (values) => {
    const records = values.filter(isSpf)
    if (records.length === 0) return finding('missing')
    const isIt = records.length === 1 && records[0]?.toLowerCase() === bounceSpf(domain)
    return finding(isIt ? 'found' : 'mismatch', records)
  })
}

/** For a self-hosted server: whether its address has a reverse name that resolves back to it. Servers of providers always have one. */
async function serverFacts(dns: DnsProvider, { host, encrypted }: Server): Promise<ServerFacts> {
  const provider = findMailHost(host)?.name ?? null
  const facts = { host, provider, encrypted, reverse_name: null }
  if (provider) return facts
  const addresses = await findAddresses(dns, host)
  const address = addresses.outcome === 'found' ? addresses.records.find(isPublicAddress) : undefined
  if (!address) return facts
  const names = await dns.reverse(address)
  if (names.outcome === 'failed') return facts
  if (names.outcome === 'none')
    return { ...facts, reverse_name: { ok: false, detail: `${host} (${address}) has no reverse DNS name.` } }
  for (const name of names.records) {
    const back = await dns.addresses(name)
    if (back.outcome === 'failed') return facts
    if (back.outcome === 'found' && back.records.includes(address))
      return {
        ...facts,
        reverse_name: { ok: true, detail: `${address} resolves to ${name}, and ${name} resolves back.` },
      }
  }
  const detail = `${address} resolves to ${names.records.join(', ')}, which does not resolve back.`
  return { ...facts, reverse_name: { ok: false, detail } }
}
