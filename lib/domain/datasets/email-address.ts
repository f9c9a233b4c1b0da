import { asciiDomain } from '#lib/domain/text/ascii-address'
import { trimEndChars } from '#lib/domain/text/text-end'

export type EmailReading =
  | { kind: 'address'; email: string; others: string[] }
  | { kind: 'missing' }
  | { kind: 'invalid'; reason: string }

/** Room for several addresses. Longer cells are prose; the limit also bounds the work that one hostile cell can cause. */
const MAX_EMAIL_CELL_CHARS = 2_000

/** A fast path for most cells: one word without anything around it. */
const BARE = /^[\w.+-]+@[\w.-]*[\w-]$/
/** A fast path for nearly all of those: short enough to need no length check, with a plain domain. */
const USUAL = /^[\w+-]+(?:\.[\w+-]+)*@[a-z\d]+(?:-[a-z\d]+)*(?:\.[a-z\d]+(?:-[a-z\d]+)*)*\.[a-z]{2,}$/i
const USUAL_CHARS = 64
const ATEXT_DOTS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu
/** By then every kind of blank is a space or a line end. */
const WRAPPING_END = ` \n>)"'],;:.»”’`
const WRAPPING_START = /^[\s<("'[,;:«“‘]+/

/**
 * Extracts the address from a cell as people write it: `mailto:`, `Name <a@b>`, quotes, trailing commas and dots, full-width
 * characters, several addresses (the first valid one counts, the rest are `others`). Returns the address in lower case with its
 * domain in punycode, so that equal addresses are equal texts. RFC 5321 as mail providers apply it: no quoted local parts, no
 * address literals, no UTF-8 before the @.
 */
export function readEmailCell(cell: string): EmailReading {
  if (cell.length > MAX_EMAIL_CELL_CHARS)
    return { kind: 'invalid', reason: 'The cell contains far more than an address.' }
  if (cell.length <= USUAL_CHARS && USUAL.test(cell))
    return { kind: 'address', email: lower(cell), others: [] }
  const isBare = BARE.test(cell)
  const text = isBare ? cell : plainCharacters(cell)
  if (text === '') return { kind: 'missing' }
  if (/^#[A-Z/0]+[!?]?$/.test(text)) {
    return { kind: 'invalid', reason: `The cell contains an error (${text}) instead of an address.` }
  }

  const addresses: string[] = []
  let firstProblem: string | undefined
  for (const candidate of isBare ? [text] : candidates(text)) {
    const checked = checkAddress(candidate)
    if ('reason' in checked) firstProblem ??= checked.reason
    else if (!addresses.includes(checked.email)) addresses.push(checked.email)
  }
  const [email, ...others] = addresses
  if (email === undefined) return { kind: 'invalid', reason: firstProblem ?? 'The cell contains no address.' }
  return { kind: 'address', email, others }
}

/** Creates a new string: addresses are kept for long, and a substring would keep the whole cell in memory. */
function lower(address: string): string {
  const at = address.indexOf('@')
  return `${address.slice(0, at)}@${address.slice(at + 1)}`.toLowerCase()
}

/** Converts full-width forms to ASCII, removes control and zero-width characters, and turns every kind of blank into a space. */
function plainCharacters(cell: string): string {
  return cell
    .replace(/[\r\n\t\u2028\u2029]+/g, '\n')
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(INVISIBLE, (c) => (c === '\n' ? '\n' : ''))
    .replace(/[^\S\n]/g, ' ')
    .trim()
}

function candidates(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>]*)>/g)].flatMap(([, inner = '']) =>
    inner.includes('@') ? [inner] : [],
  )
  if (bracketed.length > 0) return bracketed.map(unwrap)
  return text
    .split(/[;,|\n]| \/ /)
    .flatMap((part) => {
      const words = unwrap(part.replace(/\([^()@]*\)/g, ' '))
        .split(' ')
        .filter(Boolean)
      // "john smith@x" must not become smith@x: words are split only if each is an address.
      return words.length > 1 && words.every((word) => word.includes('@')) ? words : [words.join(' ')]
    })
    .map(unwrap)
    .filter((part) => part !== '')
}

function unwrap(part: string): string {
  let bare = trimEndChars(part.replace(WRAPPING_START, ''), WRAPPING_END)
  if (/^mailto:/i.test(bare)) bare = bare.slice(7).split('?')[0] ?? ''
  return bare.trim()
}

function checkAddress(address: string): { email: string } | { reason: string } {
  const at = address.lastIndexOf('@')
  if (at === -1) return { reason: 'There is no @ in it.' }
  if (/\s/.test(address)) return { reason: 'There is a space inside the address.' }
  const local = address.slice(0, at)
  if (local.includes('@')) return { reason: 'There is more than one @ in it.' }
  const localProblem = checkLocal(local)
  if (localProblem) return { reason: localProblem }
  const domain = checkDomain(address.slice(at + 1))
  if ('reason' in domain) return domain
  const email = `${local}@${domain.domain}`.toLowerCase()
  return email.length > 254 ? { reason: 'The address is longer than 254 characters.' } : { email }
}

function checkLocal(local: string): string | null {
  if (local === '') return 'There is nothing before the @.'
  if (local.length > 64) return 'The part before the @ is longer than 64 characters.'
  if (!ATEXT_DOTS.test(local)) return 'The part before the @ contains a character that addresses cannot have.'
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) {
    return 'The part before the @ starts or ends with a dot, or has two in a row.'
  }
  return null
}

function checkDomain(text: string): { domain: string } | { reason: string } {
  if (text === '') return { reason: 'There is nothing after the @.' }
  const unicodeDots = text.replace(/[。．｡]/g, '.')
  if (!/^[\p{L}\p{N}\p{M}.-]+$/u.test(unicodeDots)) {
    return { reason: 'The domain contains a character that domains cannot have.' }
  }
  const domain = asciiDomain(unicodeDots)
  if (domain === null) return { reason: 'The domain is not valid.' }
  const labels = domain.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2) return { reason: 'The domain has no dot.' }
  if (domain.length > 253 || labels.some((label) => label.length > 63))
    return { reason: 'The domain is too long.' }
  if (labels.some((label) => !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))) {
    return { reason: 'The domain has an empty part, or a part that starts or ends with a hyphen.' }
  }
  if (!/^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(last)) return { reason: `Domains do not end in ".${last}".` }
  return { domain }
}
