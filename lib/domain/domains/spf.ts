import { finding, type RecordFinding } from '#lib/domain/domains/record-check'

/** RFC 7208 section 4.6.4: with more mechanisms that query DNS than this, receivers give up with an error. */
export const MAX_SPF_LOOKUPS = 10

const QUALIFIERS = ['+', '-', '~', '?'] as const

export type SpfTerm = {
  /** As written in the record. */
  text: string
  qualifier: (typeof QUALIFIERS)[number]
  /** In lower case: `include`, `a`, `ip4`, `all`; for a modifier `redirect`, `exp`. */
  name: string
  value: string
  is_modifier: boolean
}

export const isSpf = (txt: string) => /^v=spf1( |$)/i.test(txt.trim())

/** The terms after `v=spf1`, in order. */
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

/** Terms that count towards the ten lookups. */
export const asksDns = ({ name, is_modifier }: SpfTerm) =>
  is_modifier ? name === 'redirect' : ['include', 'a', 'mx', 'ptr', 'exists'].includes(name)

/**
 * Merges the existing records and the required mechanisms into one. Several records are an error to every receiver, so they are
 * joined; existing terms stay, in their order; `+all` would permit everybody and becomes `~all`.
 */
export function mergeSpf(existing: string[], needed: string[]): string {
  const terms = existing.flatMap(spfTerms)
  const isLast = (term: SpfTerm) => (term.name === 'all' && !term.is_modifier) || term.name === 'redirect'
  const kept = terms.filter((term) => !isLast(term)).map((term) => term.text)
  const all = terms.filter((term) => term.name === 'all' && !term.is_modifier)
  const redirects = terms.filter((term) => term.name === 'redirect')
  // A redirect applies only if there is no `all`. With two redirects it is unclear which was meant, so they become includes.
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

/** The mildest `all` of the records, since each was right for its own senders. */
function chooseClosing(all: SpfTerm[]): string {
  const said = new Set(all.map(({ qualifier }) => qualifier))
  if (said.has('~') || said.has('+') || said.size === 0) return '~all'
  return said.has('?') ? '?all' : '-all'
}

/** The result of resolving a record with its includes and redirects. */
export type SpfWalk = {
  lookups: number
  /** The domains of all includes and redirects, in lower case. */
  includes: string[]
  /** Why receivers would give up, or null. */
  problem: string | null
}

/** A required mechanism, and whether the resolved record already covers it. */
export type SpfNeed = { mechanism: string; covered: boolean }

/** Checks the SPF records of a domain. */
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
