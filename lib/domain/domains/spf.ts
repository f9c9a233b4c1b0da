import { finding, type RecordFinding } from '#lib/domain/domains/record-check'

/** RFC 7208 section 4.6.4: more mechanisms that ask DNS than this, and receivers give up with an error. */
export const MAX_SPF_LOOKUPS = 10

const QUALIFIERS = ['+', '-', '~', '?'] as const

export type SpfTerm = {
  /** As it is written. */
  text: string
  qualifier: (typeof QUALIFIERS)[number]
  /** Lower case: `include`, `a`, `ip4`, `all`, or of a modifier `redirect`, `exp`. */
  name: string
  value: string
  is_modifier: boolean
}

export const isSpf = (txt: string) => /^v=spf1( |$)/i.test(txt.trim())

/** The terms behind `v=spf1`, in their order. */
export function spfTerms(record: string): SpfTerm[] {
  const [, ...terms] = record.trim().split(/ +/)
  return terms.map((text) => {
    const modifier = /^([A-Za-z][\w.-]*)=([\s\S]*)$/.exec(text)
    if (modifier) {
      const [, name = '', value = ''] = modifier
      return { text, qualifier: '+', name: name.toLowerCase(), value, is_modifier: true }
    }
    const [, sign = '', name = '', rest = ''] = /^([+\-~?]?)([A-Za-z0-9]+)([\s\S]*)$/.exec(text) ?? []
    const qualifier = QUALIFIERS.find((one) => one === sign) ?? '+'
    return { text, qualifier, name: name.toLowerCase(), value: rest.replace(/^:/, ''), is_modifier: false }
  })
}

/** Terms that cost one of the ten lookups. */
export const asksDns = ({ name, is_modifier }: SpfTerm) =>
  is_modifier ? name === 'redirect' : ['include', 'a', 'mx', 'ptr', 'exists'].includes(name)

/**
 * One record out of those that exist and what must be in it. Several records are an error to every receiver, so theirs
 * are joined; what is there stays, in its order; `+all` would let everybody in and becomes `~all`.
 */
export function mergeSpf(existing: string[], needed: string[]): string {
  const terms = existing.flatMap(spfTerms)
  const isLast = (term: SpfTerm) => (term.name === 'all' && !term.is_modifier) || term.name === 'redirect'
  const kept = terms.filter((term) => !isLast(term)).map((term) => term.text)
  const all = terms.filter((term) => term.name === 'all' && !term.is_modifier)
  const redirects = terms.filter((term) => term.name === 'redirect')
  // A redirect counts only where there is no `all`; of two nobody knows which was meant, so they become includes.
  const isSingle = redirects.length === 1
  const included = all.length === 0 && !isSingle ? redirects.map(({ value }) => `include:${value}`) : []
  const seen = new Set<string>()
  const middle = [...kept, ...needed, ...included].filter((text) => {
    const key = text.replace(/^\+/, '').toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
  const end = all.length === 0 && isSingle ? redirects.map(({ text }) => text) : [chooseClosing(all)]
  return ['v=spf1', ...middle, ...end].join(' ')
}

/** The mildest of what the records said, since each was enough for its own senders. */
function chooseClosing(all: SpfTerm[]): string {
  const said = new Set(all.map(({ qualifier }) => qualifier))
  if (said.has('~') || said.has('+') || said.size === 0) return '~all'
  return said.has('?') ? '?all' : '-all'
}

/** What following a record through DNS came to. */
export type SpfWalk = {
  lookups: number
  /** Domains of every include and redirect on the way, lower case. */
  includes: string[]
  /** Why receivers would give up, or null. */
  problem: string | null
}

/** A mechanism that has to be there, and whether what the record leads to covers it already. */
export type SpfNeed = { mechanism: string; covered: boolean }

/** Judges the SPF records of a domain. */
export function checkSpf(txts: string[], walk: SpfWalk | null, needs: SpfNeed[]): RecordFinding {
  const records = txts.filter(isSpf)
  const [record] = records
  if (!record) return finding('missing', [], 'There is no SPF record.')
  if (records.length > 1)
    return finding(
      'mismatch',
      records,
      `There are ${records.length} SPF records. Receivers treat that as an error (RFC 7208, section 4.5). Replace all of them with the one shown here.`,
    )
  if (walk?.problem) return finding('mismatch', records, walk.problem)
  if (spfTerms(record).some(({ name, qualifier }) => name === 'all' && qualifier === '+'))
    return finding('mismatch', records, '+all lets anyone on the internet send as this domain.')
  const absent = needs.filter(({ covered }) => !covered).map(({ mechanism }) => mechanism)
  if (absent.length > 0)
    return finding(
      'mismatch',
      records,
      `It does not allow a server your mailboxes use: ${absent.join(', ')}.`,
    )
  return finding(
    'found',
    records,
    walk ? `${walk.lookups} of ${MAX_SPF_LOOKUPS} DNS lookups are used.` : null,
  )
}
