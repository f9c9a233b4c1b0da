import {
  givesOrders,
  type Material,
  UNSUBSCRIBE_MARK,
  type Written,
} from '#lib/domain/personalization/material'
import {
  LEFTOVERS,
  MONTHS_AND_DAYS,
  PLAIN_WORDS,
  PRETENCE,
  QUANTITY,
} from '#lib/domain/personalization/words'

export const FLAG_CODES = [
  'empty',
  'too_long',
  'claim_without_source',
  'claim_not_in_text',
  'number_without_source',
  'date_without_source',
  'name_without_source',
  'link_without_source',
  'placeholder',
  'wrong_greeting',
  'other_lead',
  'banned_phrase',
  'pretence',
  'cell_gives_orders',
] as const
export type Flag = { code: (typeof FLAG_CODES)[number]; message: string }

/** `others`: names, companies and addresses of other leads of the list. `longest` in characters of the body. */
export type Limits = { others?: readonly string[]; longest?: number; subject_needed?: boolean }

const LONGEST_BODY = 4_000
const LONGEST_SUBJECT = 150

/**
 * Why a person should look twice at a text; empty where every rule holds. The rules know the material and nothing else:
 * what stands in no cell, template, profile or wish counts as invented. They are coarse on purpose and never repair.
 */
export function flagsOf(written: Written, material: Material, limits: Limits = {}): Flag[] {
  const cells = Object.fromEntries(Object.entries(material.cells).filter(([, value]) => !givesOrders(value)))
  const own = [
    material.template?.subject,
    material.template?.body,
    ...Object.values(material.sender),
    material.prompt,
  ]
  const owners = own.filter((part) => part !== undefined).join('\n')
  const sources = `${owners}\n${Object.values(cells).join('\n')}`
  const text = `${written.subject}\n${written.body}`
  return unique([
    ...sizeFlags(written, limits),
    ...claimFlags(written, { ...material, cells }, text),
    ...numberFlags(text, sources),
    ...nameFlags(text, sources),
    ...linkFlags(text, owners, cells),
    ...placeholderFlags(text, owners),
    ...greetingFlags(written.body, cells, owners),
    ...otherLeadFlags(text, sources, limits.others ?? []),
    ...phraseFlags(text, owners),
    ...orderFlags(material.cells),
  ])
}

const flag = (code: Flag['code'], message: string): Flag => ({ code, message })

function unique(flags: Flag[]): Flag[] {
  return [...new Map(flags.map((one) => [`${one.code} ${one.message}`, one])).values()]
}

function sizeFlags({ subject, body }: Written, { longest = LONGEST_BODY, subject_needed }: Limits): Flag[] {
  const flags: Flag[] = []
  if (!body.trim()) flags.push(flag('empty', 'The text is empty.'))
  if (subject_needed && !subject.trim()) flags.push(flag('empty', 'The subject is empty.'))
  if (body.length > longest)
    flags.push(flag('too_long', `The text has ${body.length} characters; at most ${longest} are right here.`))
  if (subject.length > LONGEST_SUBJECT)
    flags.push(flag('too_long', `The subject has ${subject.length} characters.`))
  return flags
}

/** Case, width, kind of quote and runs of space make no difference to what is said. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[’‘`´]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

function sourceOf(cell: string, { cells, sender, template, prompt }: Material): string | null {
  if (Object.hasOwn(cells, cell)) return cells[cell] ?? null
  if (cell.startsWith('sender.'))
    return Object.hasOwn(sender, cell.slice(7)) ? (sender[cell.slice(7)] ?? null) : null
  if (cell === 'template') return template && `${template.subject}\n${template.body}`
  return cell === 'prompt' || cell === 'wish' ? prompt : null
}

function claimFlags({ claims }: Written, material: Material, text: string): Flag[] {
  return claims.flatMap((claim) => {
    const source = sourceOf(claim.cell, material)
    const said = plain(claim.text)
    if (!said || source === null)
      return [
        flag(
          'claim_without_source',
          `“${claim.text}” is said to come from “${claim.cell}”, which is no cell of this lead.`,
        ),
      ]
    if (!plain(source).includes(said))
      return [flag('claim_without_source', `“${claim.text}” does not stand in the cell “${claim.cell}”.`)]
    if (!plain(text).includes(said))
      return [
        flag('claim_not_in_text', `“${claim.text}” is listed as a claim and does not stand in the text.`),
      ]
    return []
  })
}

const digitsOf = (text: string): string[] =>
  (text.normalize('NFKC').match(/\d+(?:[.,'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?/g) ?? []).map((number) =>
    number.replace(/[.,'\u00a0\u202f ](?=\d{3}(?!\d))/g, '').replace(',', '.'),
  )

function numberFlags(text: string, sources: string): Flag[] {
  const without = text.replaceAll(UNSUBSCRIBE_MARK, '')
  const known = new Set(digitsOf(sources))
  const numbers = digitsOf(without).filter((number) => !known.has(number))
  const said = plain(sources)
  const missing = (pattern: RegExp) =>
    (plain(without).match(pattern) ?? []).filter((word) => !hasWord(said, word))
  return [
    ...numbers.map((number) =>
      flag('number_without_source', `The number ${number} stands in nothing that is known.`),
    ),
    ...missing(QUANTITY).map((word) =>
      flag('number_without_source', `“${word}” stands in nothing that is known.`),
    ),
    ...missing(MONTHS_AND_DAYS).map((word) =>
      flag('date_without_source', `“${word}” stands in nothing that is known.`),
    ),
  ]
}

const hasWord = (text: string, word: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'u').test(
    text,
  )

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'&]*/gu) ?? []

/** `Acme's` is `Acme`. */
const bare = (word: string) => plain(word).replace(/'s$|'$/, '')

function nameFlags(text: string, sources: string): Flag[] {
  const known = new Set(wordsOf(sources).flatMap((word) => [word, bare(word)]))
  const found = new Set<string>()
  const readable = text.replace(/https?:\/\/\S+|\S+@\S+/g, ' ')
  for (const match of readable.matchAll(/\p{L}[\p{L}\p{M}\p{N}'’&]*/gu)) {
    const word = match[0]
    if (!/\p{Lu}/u.test(word)) continue
    const lower = bare(word)
    if (known.has(lower) || PLAIN_WORDS.has(plain(word)) || PLAIN_WORDS.has(lower)) continue
    // The first word of a sentence is capitalised whatever it is; a name there shows by capitals inside, or by the next word.
    const before = readable.slice(0, match.index).trimEnd()
    const starts =
      before === '' || /[.!?:…\n"“(-]$/.test(before) || /\n\s*$/.test(readable.slice(0, match.index))
    const after = /^\s+(\p{L}[\p{L}\p{M}'’]*)/u.exec(readable.slice(match.index + word.length))?.[1] ?? ''
    const named = /\p{Lu}/u.test(word.slice(1)) || /^\p{Lu}/u.test(after) || VERB_AFTER_NAME.test(after)
    if (!starts || named || /['’]s$/.test(word)) found.add(word)
  }
  return [...found].map((word) => flag('name_without_source', `“${word}” stands in nothing that is known.`))
}

/** What a subject does: “Globex announced”, where “Growing is hard” would be an ordinary beginning. */
const VERB_AFTER_NAME =
  /^(?:announced|acquired|launched|raised|hired|opened|released|won|joined|recently|just|said|says|wrote|uses|used|and)$/i

const LINK =
  /(?:https?:\/\/|www\.)[^\s<>"')\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@.])[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|co|ai|app|dev|info|biz|example|test|ru|cn|xyz|link|click)(?:\/\S*)?(?!\w)/giu

/** A cell may name the lead's own site or address; every other link is the owner's to give. */
function linkFlags(text: string, owners: string, cells: Record<string, string>): Flag[] {
  const own = ['email', 'website', 'company_domain', 'domain'].map((key) => cells[key] ?? '').join('\n')
  const allowed = `${plain(owners)}\n${plain(own)}`
  return (text.replaceAll(UNSUBSCRIBE_MARK, ' ').match(LINK) ?? [])
    .map((link) => link.replace(/[.,;:!?]+$/, ''))
    .filter((link) => !allowed.includes(plain(link)))
    .map((link) => flag('link_without_source', `The link or address ${link} is not yours.`))
}

const PLACEHOLDER =
  /\{\{[^}]*\}?\}?|\{%[^%]*%\}|\[(?:your |my |the |insert |first |last |company |recipient |name|title|date|link|topic|x+)[^\]\n]{0,40}\]|<(?:your|first|last|name|company|insert)[^>\n]{0,40}>|%[A-Z_]{3,}%|__[a-z_]{3,}__|\bX{3,}\b|\bTODO\b|\blorem ipsum\b|\b(?:undefined|NaN|null)\b/gi

function placeholderFlags(text: string, owners: string): Flag[] {
  const without = text.replaceAll(UNSUBSCRIBE_MARK, ' ')
  return (without.match(PLACEHOLDER) ?? [])
    .filter((found) => /[{}%]/.test(found) || !owners.includes(found))
    .map((found) => flag('placeholder', `“${found}” was never filled in.`))
}

const GREETING =
  /^\s*(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|greetings|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag|bonjour|cher|chère|hola|estimad[oa]|ciao|olá)[ ,]+([^,!\n:.–—-]{1,60})[,!\n:.–—-]/iu
const NOBODY = new Set(
  'there all everyone team folks sir madam or and friend colleague colleagues again from zusammen herr frau mr mrs ms dr monsieur madame señor señora'.split(
    ' ',
  ),
)

/** Whoever is greeted must be the lead: by a name of the row or the company's. */
function greetingFlags(body: string, cells: Record<string, string>, owners: string): Flag[] {
  const greeted = GREETING.exec(body)?.[1]?.trim()
  if (!greeted) return []
  const names = Object.entries(cells).filter(([key]) => /name|salutation|company|title/.test(key))
  const known = new Set(names.flatMap(([, value]) => wordsOf(value).map(bare)))
  // A greeting that the owner wrote without any field greets all alike, and is theirs to answer for.
  if (plain(owners).includes(plain(`${GREETING.exec(body)?.[0] ?? ''}`))) return []
  const strange = wordsOf(greeted).filter(
    (word) => !known.has(bare(word)) && !NOBODY.has(word) && !PLAIN_WORDS.has(word),
  )
  return strange.length > 0
    ? [flag('wrong_greeting', `The greeting names “${greeted}”, which is no name of this lead.`)]
    : []
}

function otherLeadFlags(text: string, sources: string, others: readonly string[]): Flag[] {
  const [said, known] = [plain(text), plain(sources)]
  return others
    .filter(
      (other) =>
        other.trim().length > 2 &&
        said.includes(plain(other)) &&
        hasWord(said, plain(other)) &&
        !hasWord(known, plain(other)),
    )
    .map((other) => flag('other_lead', `“${other}” belongs to another lead.`))
}

function phraseFlags(text: string, owners: string): Flag[] {
  const found = (list: [RegExp, string][]) =>
    list.filter(([pattern]) => pattern.test(text) && !pattern.test(owners)).map(([, name]) => name)
  return [
    ...LEFTOVERS.filter(([pattern]) => pattern.test(text)).map(([, name]) =>
      flag('banned_phrase', `The text has what must never leave: ${name}.`),
    ),
    ...found(PRETENCE).map((name) => flag('pretence', `The text claims ${name}, which nothing supports.`)),
  ]
}

const orderFlags = (cells: Record<string, string>): Flag[] =>
  Object.entries(cells)
    .filter(([, value]) => givesOrders(value))
    .map(([key]) =>
      flag('cell_gives_orders', `The cell “${key}” gives orders to a machine; it was not used.`),
    )
