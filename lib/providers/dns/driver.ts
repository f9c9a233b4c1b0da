import { Resolver } from 'node:dns/promises'
import type { DnsAnswer, DnsFailure, DnsProvider } from '#lib/providers/dns/port'
import { isPublicAddress } from '#lib/providers/outbound'

export type DnsOptions = {
  /** `address` or `address:port`; empty: the resolvers of the machine. */
  servers?: readonly string[]
  /** Asks the domain's own servers first, whose answers are not delayed by caches. They must be reachable on port 53. */
  ask_authoritative?: boolean
  /** The limit of one attempt; each server is tried twice. */
  timeout_ms?: number
}

const TIMEOUT_MS = 2_000
/** How many of a domain's servers are asked; a large domain may have many. */
const MAX_AUTHORITATIVE = 3

const FAILURES: Record<string, DnsFailure> = {
  ETIMEOUT: 'timeout',
  ECANCELLED: 'timeout',
  ESERVFAIL: 'server_failed',
  EREFUSED: 'refused',
  ECONNREFUSED: 'unreachable',
  ENONAME: 'malformed',
  EBADRESP: 'malformed',
  EFORMERR: 'malformed',
}

const bare = (name: string) => name.replace(/\.$/, '').toLowerCase()

/** Queries over `node:dns`. Each provider has its own resolver, without a cache, so that a second check sees current records. */
export function createDnsProvider({
  servers = [],
  ask_authoritative,
  timeout_ms = TIMEOUT_MS,
}: DnsOptions): DnsProvider {
  const createResolver = (at: readonly string[]) => {
    const resolver = new Resolver({ timeout: timeout_ms, tries: 2, maxTimeout: timeout_ms * 2 })
    if (at.length > 0) resolver.setServers(at)
    return resolver
  }
  const recursive = createResolver(servers)

  /** If the domain's own servers have no answer, the resolver is asked as well: a CNAME may lead out of the zone. */
  const ask = async <T>(
    name: string,
    question: (resolver: Resolver) => Promise<T[]>,
  ): Promise<DnsAnswer<T>> => {
    const own = ask_authoritative ? await authoritative(recursive, name) : []
    if (own.length > 0) {
      const answer = await toAnswer(question(createResolver(own)))
      if (answer.outcome === 'found') return answer
    }
    return toAnswer(question(recursive))
  }

  return {
    txt: (name) => ask(name, async (at) => (await at.resolveTxt(name)).map((strings) => strings.join(''))),
    mx: (name) =>
      ask(name, async (at) =>
        (await at.resolveMx(name))
          .map(({ priority, exchange }) => ({ priority, exchange: bare(exchange) }))
          .toSorted((a, b) => a.priority - b.priority || a.exchange.localeCompare(b.exchange)),
      ),
    cname: (name) => ask(name, async (at) => (await at.resolveCname(name)).map(bare)),
    srv: (name) =>
      ask(name, async (at) =>
        (await at.resolveSrv(name))
          .toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
          .map(({ name: host, port }) => ({ host: bare(host), port }))
          .filter(({ host }) => host !== ''),
      ),
    async addresses(name) {
      const [four, six] = await Promise.all([
        toAnswer(recursive.resolve4(name)),
        toAnswer(recursive.resolve6(name)),
      ])
      if (four.outcome === 'found' && six.outcome === 'found')
        return { outcome: 'found', records: [...four.records, ...six.records] }
      if (four.outcome === 'found') return four
      return six.outcome === 'found' || four.outcome === 'none' ? six : four
    },
    reverse: async (address) => toAnswer(recursive.reverse(address).then((names) => names.map(bare))),
  }
}

async function toAnswer<T>(asked: Promise<T[]>): Promise<DnsAnswer<T>> {
  try {
    const records = await asked
    return records.length > 0 ? { outcome: 'found', records } : { outcome: 'none', reason: 'no_such_record' }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const message = error instanceof Error ? error.message : String(error)
    if (code === 'ENOTFOUND') return { outcome: 'none', reason: 'no_such_name' }
    if (code === 'ENODATA') return { outcome: 'none', reason: 'no_such_record' }
    return { outcome: 'failed', reason: FAILURES[code] ?? 'server_failed', error: message }
  }
}

/** Addresses of the name servers of the nearest zone above a name. A stranger chooses them, so only public ones are used. */
async function authoritative(recursive: Resolver, name: string): Promise<string[]> {
  const labels = name.split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const servers = await toAnswer(recursive.resolveNs(labels.slice(from).join('.')))
    if (servers.outcome === 'failed') return []
    if (servers.outcome === 'none') continue
    const answers = await Promise.all(
      servers.records.slice(0, MAX_AUTHORITATIVE).map((server) => toAnswer(recursive.resolve4(server))),
    )
    return answers.flatMap((answer) =>
      answer.outcome === 'found' ? answer.records.filter(isPublicAddress) : [],
    )
  }
  return []
}
