import type { DmarcPolicy } from '#lib/domain/domains/dmarc'

/** One receiver's report on mail in the name of a domain (RFC 7489, section 7.2). */
export type DmarcReport = {
  org_name: string
  external_id: string
  /** Epoch milliseconds. */
  begins_at: number
  ends_at: number
  /** The domain whose record was applied, in lower case. */
  domain: string
  policy: string | null
  sources: DmarcSource[]
}

/** Mail of one server with the same results. */
export type DmarcSource = {
  source_ip: string
  messages: number
  /** What the receiver did with the mail. */
  disposition: DmarcPolicy
  /** Whether each authenticated the visible domain. */
  spf: boolean
  dkim: boolean
  header_from: string
}

/** Longer documents are not parsed: a real report has some kilobytes, those of the largest senders a few megabytes. */
export const MAX_REPORT = 8 * 1024 * 1024
const MAX_DEPTH = 12
const MAX_RECORDS = 50_000
/** Servers with the same results share one line; the largest lines are kept. */
const MAX_SOURCES = 1_000
const MAX_NAME = 250

/** Null if the text is not a report. One pass from tag to tag; nothing is fetched, and only XML's own entities are known. */
export function readDmarcReport(xml: string): DmarcReport | null {
  if (xml.length > MAX_REPORT) return null
  const fields = new Map<string, string>()
  const sources = new Map<string, DmarcSource>()
  let record = new Map<string, string>()
  let records = 0
  const path: string[] = []
  for (const token of tokens(xml)) {
    if (token === null) return null
    if ('text' in token) {
      const place = path.slice(1).join('/')
      const kept = path[1] === 'record' ? record : fields
      if (!kept.has(place)) kept.set(place, token.text.slice(0, MAX_NAME))
    } else if (token.kind === 'open') {
      path.push(token.name)
      if (path.length > MAX_DEPTH) return null
      if (path.length === 2 && token.name === 'record') record = new Map()
    } else {
      if (path.pop() !== token.name) return null
      if (path.length !== 1 || token.name !== 'record') continue
      records += 1
      if (records > MAX_RECORDS) return null
      const source = toSource(record)
      if (source) add(sources, source)
    }
  }
  return path.length === 0 ? toReport(fields, [...sources.values()]) : null
}

function toReport(fields: Map<string, string>, sources: DmarcSource[]): DmarcReport | null {
  const begins_at = toTime(fields.get('report_metadata/date_range/begin'))
  const ends_at = toTime(fields.get('report_metadata/date_range/end'))
  const org_name = fields.get('report_metadata/org_name') ?? ''
  const external_id = fields.get('report_metadata/report_id') ?? ''
  const domain = fields.get('policy_published/domain')?.toLowerCase().replace(/\.$/, '') ?? ''
  const isWhole = org_name !== '' && external_id !== '' && domain !== ''
  if (!isWhole || begins_at === null || ends_at === null || ends_at < begins_at) return null
  const policy = fields.get('policy_published/p') ?? null
  const largest = sources.toSorted((one, other) => other.messages - one.messages).slice(0, MAX_SOURCES)
  return { org_name, external_id, begins_at, ends_at, domain, policy, sources: largest }
}

/** Seconds since 1970, in a year of four digits. */
function toTime(text = ''): number | null {
  const seconds = /^\d{1,11}$/.test(text) ? Number(text) : 0
  return seconds > 0 && seconds < 32_503_680_000 ? seconds * 1_000 : null
}

function toSource(record: Map<string, string>): DmarcSource | null {
  const source_ip = record.get('record/row/source_ip')?.toLowerCase() ?? ''
  const count = record.get('record/row/count') ?? ''
  if (!/^[0-9a-f.:]{2,45}$/.test(source_ip) || !/^[1-9]\d{0,8}$/.test(count)) return null
  const said = record.get('record/row/policy_evaluated/disposition')?.toLowerCase()
  const passes = (method: string) =>
    record.get(`record/row/policy_evaluated/${method}`)?.toLowerCase() === 'pass'
  return {
    source_ip,
    messages: Number(count),
    disposition: said === 'quarantine' || said === 'reject' ? said : 'none',
    spf: passes('spf'),
    dkim: passes('dkim'),
    header_from: record.get('record/identifiers/header_from')?.toLowerCase() ?? '',
  }
}

const MOST = 1_000_000_000

function add(sources: Map<string, DmarcSource>, { messages, ...source }: DmarcSource): void {
  const key = Object.values(source).join(' ')
  const before = sources.get(key)?.messages ?? 0
  sources.set(key, { ...source, messages: Math.min(MOST, before + messages) })
}

type Token = { kind: 'open' | 'close'; name: string } | { text: string }

/** Yields null where the text is not XML that a report may contain: a document type, or a tag without an end. */
function* tokens(xml: string): Generator<Token | null> {
  let from = 0
  for (let open = xml.indexOf('<'); open !== -1; open = xml.indexOf('<', from)) {
    const text = xml.slice(from, open).trim()
    if (text !== '') yield { text: plain(text) }
    const [close, isText] = endMark(xml, open)
    const end = xml.indexOf(close, open + 1)
    if (end === -1) return yield null
    from = end + close.length
    if (isText) yield { text: xml.slice(open + 9, end).trim() }
    else if (close === '>') yield* tag(xml.slice(open + 1, end))
  }
}

function endMark(xml: string, open: number): [close: string, isText: boolean] {
  if (xml.startsWith('<!--', open)) return ['-->', false]
  if (xml.startsWith('<![CDATA[', open)) return [']]>', true]
  return xml.startsWith('<?', open) ? ['?>', false] : ['>', false]
}

function* tag(inner: string): Generator<Token | null> {
  const isClosing = inner.startsWith('/')
  const [, name = ''] = /^\/?(?:[\w.-]{1,80}:)?([a-z_][\w.-]{0,80})(?=[\s/]|$)/i.exec(inner) ?? []
  // A document type could define entities, and none is needed.
  if (name === '') return yield null
  const lower = name.toLowerCase()
  if (!isClosing) yield { kind: 'open', name: lower }
  if (isClosing || inner.endsWith('/')) yield { kind: 'close', name: lower }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string) =>
  text.slice(0, MAX_NAME * 6).replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
