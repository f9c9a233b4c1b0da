import { BlockList, isIP } from 'node:net'
import {
  asksDns,
  isSpf,
  MAX_SPF_LOOKUPS,
  type SpfTerm,
  type SpfWalk,
  spfTerms,
} from '#lib/domain/domains/spf'
import type { DnsProvider } from '#lib/providers/dns/port'

/** `permits` tells whether the record authorizes an address by network, host or MX. */
export type Walked = SpfWalk & { permits: (address: string) => boolean; failure: string | null }

type Walk = {
  dns: DnsProvider
  result: SpfWalk
  networks: BlockList
  seen: Set<string>
  failure: string | null
}

/**
 * Evaluates a record as a receiver does (RFC 7208, section 4.6.4), to count its lookups and collect whom it authorizes. Stops where a
 * receiver would. `failure` is set if DNS did not answer on the way; then nothing may be concluded.
 */
export async function walkSpf(dns: DnsProvider, domain: string, record: string): Promise<Walked> {
  const result: SpfWalk = { lookups: 0, includes: [], problem: null }
  const walk: Walk = { dns, result, networks: new BlockList(), seen: new Set([domain]), failure: null }
  await follow(walk, domain, record)
  const { networks, failure } = walk
  const permits = (address: string) => {
    const family = isIP(address)
    return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return { ...result, permits, failure }
}

async function follow(walk: Walk, domain: string, record: string): Promise<void> {
  const terms = spfTerms(record)
  const hasAll = terms.some(({ name, is_modifier }) => name === 'all' && !is_modifier)
  for (const term of terms) {
    if (walk.result.problem || walk.failure) return
    if (term.name === 'redirect' && hasAll) continue
    if (asksDns(term)) {
      walk.result.lookups += 1
      if (walk.result.lookups > MAX_SPF_LOOKUPS) {
        walk.result.problem = `It needs more than ${MAX_SPF_LOOKUPS} DNS lookups, where receivers give up (RFC 7208, section 4.6.4). Remove includes you no longer use.`
        return
      }
    }
    await followTerm(walk, domain, term)
  }
}

async function followTerm(walk: Walk, domain: string, term: SpfTerm): Promise<void> {
  const { name, value, qualifier } = term
  // Macros depend on the individual mail, so they are not evaluated.
  if (value.includes('%')) return
  if (name === 'ip4' || name === 'ip6') return permit(walk, value)
  if (name === 'include' || name === 'redirect') return descend(walk, value.toLowerCase())
  if ((name !== 'a' && name !== 'mx') || qualifier !== '+') return
  const [host = '', bits] = value.split('/')
  const target = host.toLowerCase() || domain
  const hosts = name === 'a' ? [target] : await exchanges(walk, target)
  for (const each of hosts.slice(0, 10)) {
    const answer = await walk.dns.addresses(each)
    if (answer.outcome === 'failed') walk.failure = answer.error
    if (answer.outcome !== 'found') continue
    for (const address of answer.records)
      permit(walk, bits && isIP(address) === 4 ? `${address}/${bits}` : address)
  }
}

async function exchanges(walk: Walk, target: string): Promise<string[]> {
  const answer = await walk.dns.mx(target)
  if (answer.outcome === 'failed') walk.failure = answer.error
  return answer.outcome === 'found' ? answer.records.map(({ exchange }) => exchange) : []
}

function permit({ networks }: Walk, network: string): void {
  const [address = '', bits] = network.split('/')
  const family = isIP(address)
  if (family === 0) return
  const [type, whole] = family === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  const prefix = bits === undefined ? whole : Number(bits)
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= whole) networks.addSubnet(address, prefix, type)
}

async function descend(walk: Walk, target: string): Promise<void> {
  walk.result.includes.push(target)
  if (walk.seen.has(target)) {
    walk.result.problem = `It includes ${target} in a loop.`
    return
  }
  walk.seen.add(target)
  const answer = await walk.dns.txt(target)
  if (answer.outcome === 'failed') {
    walk.failure = answer.error
    return
  }
  const records = answer.outcome === 'found' ? answer.records.filter(isSpf) : []
  if (records[0] && records.length === 1) await follow(walk, target, records[0])
  else
    walk.result.problem =
      records.length > 1
        ? `It includes ${target}, which has several SPF records.`
        : `It includes ${target}, which has no SPF record. Receivers treat that as an error.`
  // The same name may be included twice side by side; only an include of an ancestor is a loop.
  walk.seen.delete(target)
}
