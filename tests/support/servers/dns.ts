import dns2 from 'dns2'
import { freePort } from '#lib/db/free-port'
import { txtStrings } from '#lib/domain/domains/txt'

type Records = Partial<{
  /** A record is one text, or the strings that it is split into. */
  TXT: (string | string[])[]
  MX: [priority: number, exchange: string][]
  CNAME: string
  A: string[]
  AAAA: string[]
  PTR: string[]
  NS: string[]
  SRV: [priority: number, weight: number, port: number, target: string][]
}>

type Service = { priority: number; weight: number; port: number; target: string }

/** A name's records, or how the server fails for it. `*.` at the front matches every name below that has no entry. */
export type Zone = Record<string, Records | 'servfail' | 'refused' | 'silent'>

const RCODE = { ok: 0, servfail: 2, nxdomain: 3, refused: 5 }

/** A DNS server on 127.0.0.1 over UDP and TCP that answers as a resolver does; `zone` may be changed while it runs. */
export async function createDnsServer(zone: Zone = {}) {
  const asked: { name: string; type: string }[] = []
  const server = dns2.createServer({
    udp: true,
    tcp: true,
    handle: (request, send) => {
      const response = dns2.Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question?.name.toLowerCase() ?? ''
      const type = dns2.Packet.TYPE_NAME[question?.type ?? 0] ?? ''
      asked.push({ name, type })
      const entry = entryOf(zone, name)
      if (entry === 'silent') return
      response.header.ra = 1
      if (entry === 'servfail' || entry === 'refused') response.header.rcode = RCODE[entry]
      else if (!entry && !hasBelow(zone, name)) response.header.rcode = RCODE.nxdomain
      else response.answers.push(...answersOf(zone, name, type))
      send(response)
    },
  })
  const port = await freePort()
  await server.listen({ udp: { port, address: '127.0.0.1' }, tcp: { port, address: '127.0.0.1' } })
  return { server: `127.0.0.1:${port}`, zone, asked, close: () => server.close() }
}

// The target of an SRV record must not be compressed (RFC 2782); the library compresses it, which no resolver accepts.
Object.assign(Reflect.get(dns2.Packet.Resource, 'SRV'), {
  encode({ priority, weight, port, target }: Service, writer: { write(value: number, bits: number): void }) {
    for (const field of [priority, weight, port]) writer.write(field, 16)
    const labels = target.split('.').filter(Boolean)
    for (const label of labels)
      for (const byte of [label.length, ...Buffer.from(label)]) writer.write(byte, 8)
    writer.write(0, 8)
  },
})

function entryOf(zone: Zone, name: string): Zone[string] | undefined {
  if (zone[name]) return zone[name]
  const labels = name.split('.')
  for (let from = 1; from < labels.length; from++) {
    const wildcard = zone[`*.${labels.slice(from).join('.')}`]
    if (wildcard) return wildcard
  }
}

/** A name that only has names below it exists, but without records (RFC 8020). */
const hasBelow = (zone: Zone, name: string) => Object.keys(zone).some((known) => known.endsWith(`.${name}`))

type Answer = InstanceType<typeof dns2.Packet.Resource>

function answersOf(zone: Zone, name: string, type: string, depth = 0): Answer[] {
  const entry = entryOf(zone, name)
  if (!entry || typeof entry === 'string' || depth > 8) return []
  const answer = (kind: keyof typeof dns2.Packet.TYPE, data: Record<string, unknown>): Answer =>
    Object.assign(new dns2.Packet.Resource(name, dns2.Packet.TYPE[kind], dns2.Packet.CLASS.IN, 60), data)
  if (entry.CNAME) {
    const own = answer('CNAME', { domain: entry.CNAME })
    return type === 'CNAME' ? [own] : [own, ...answersOf(zone, entry.CNAME, type, depth + 1)]
  }
  if (type === 'TXT')
    return (entry.TXT ?? []).map((text) => answer('TXT', { data: [text].flat().flatMap(txtStrings) }))
  if (type === 'MX')
    return (entry.MX ?? []).map(([priority, exchange]) => answer('MX', { priority, exchange }))
  if (type === 'A') return (entry.A ?? []).map((address) => answer('A', { address }))
  if (type === 'AAAA') return (entry.AAAA ?? []).map((address) => answer('AAAA', { address }))
  if (type === 'PTR') return (entry.PTR ?? []).map((domain) => answer('PTR', { domain }))
  if (type === 'SRV')
    return (entry.SRV ?? []).map(([priority, weight, port, target]) =>
      answer('SRV', { priority, weight, port, target }),
    )
  if (type === 'NS') return (entry.NS ?? []).map((ns) => answer('NS', { ns }))
  return []
}
