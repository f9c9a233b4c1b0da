import { withoutAccents } from '#lib/domain/datasets/columns'
import { typedKeys } from '#lib/domain/text/record'
import { trimChars } from '#lib/domain/text/text-end'

export type Person = { first_name: string; last_name: string }

/** `f` and `l` are initials; the names are shown to users. */
export const PATTERNS = {
  'first.last': (f: string, l: string) => `${f}.${l}`,
  flast: (f, l) => `${f[0]}${l}`,
  first: (f) => f,
  'f.last': (f, l) => `${f[0]}.${l}`,
  firstlast: (f, l) => `${f}${l}`,
  first_last: (f, l) => `${f}_${l}`,
  'first-last': (f, l) => `${f}-${l}`,
  last: (_, l) => l,
  firstl: (f, l) => `${f}${l[0]}`,
  'first.l': (f, l) => `${f}.${l[0]}`,
  'last.first': (f, l) => `${l}.${f}`,
  lastf: (f, l) => `${l}${f[0]}`,
  lastfirst: (f, l) => `${l}${f}`,
  'last.f': (f, l) => `${l}.${f[0]}`,
  fl: (f, l) => `${f[0]}${l[0]}`,
} as const satisfies Record<string, (first: string, last: string) => string>
export type Pattern = keyof typeof PATTERNS

const ALL = typedKeys(PATTERNS)

/**
 * How frequent each pattern is over many companies, in percent: used if no address of a company is known. An estimate without
 * measurements: the order is more reliable than the numbers.
 */
export const PRIOR: Record<Pattern, number> = {
  'first.last': 42,
  flast: 22,
  first: 12,
  'f.last': 5,
  firstlast: 4,
  first_last: 2,
  'first-last': 1,
  last: 2,
  firstl: 3,
  'first.l': 1,
  'last.first': 2,
  lastf: 1,
  lastfirst: 1,
  'last.f': 1,
  fl: 1,
}

/** German and Scandinavian letters in their ASCII spelling. */
const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** A longer name gives no local part. */
const MAX_NAME_CHARS = 200

/** The spellings of a name in local parts: without accents, titles and blanks; ü as ue and as u. Empty if nothing is left. */
function forms(name: string): string[] {
  const words = name.slice(0, MAX_NAME_CHARS).toLowerCase().normalize('NFC').trim()
  const plain = [
    withoutAccents(words),
    withoutAccents(words.replace(/[äöüß]/g, (letter) => SPELLED[letter] ?? letter)),
  ]
  const squeezed = plain.map((text) => text.replace(/[^a-z0-9]/g, ''))
  const hyphened = plain.map((text) => trimChars(text.replace(/[^a-z0-9-]/g, ''), '-'))
  return [...new Set([...squeezed, ...hyphened])].filter((text) => /^[a-z]/.test(text))
}

/** Every possible local part of a person, with its pattern; the plainest spelling of each pattern first. */
export function localParts({ first_name, last_name }: Person): { local: string; pattern: Pattern }[] {
  const [firsts, lasts] = [forms(first_name), forms(last_name)]
  const made = ALL.flatMap((pattern) => {
    const parts = firsts.flatMap((first) => lasts.map((last) => PATTERNS[pattern](first, last)))
    return [...new Set(parts)].map((local) => ({ local, pattern }))
  })
  return made.filter(({ local }) => local.length <= 64)
}

export type KnownAddress = Person & { email: string }
export type Learned = {
  /** Addresses with a recognizable pattern. */
  told: number
  counts: Partial<Record<Pattern, number>>
}

/** Counts the patterns of known people at one domain. An address that fits two patterns counts for neither alone. */
export function learnPatterns(known: readonly KnownAddress[]): Learned {
  const counts: Partial<Record<Pattern, number>> = {}
  let told = 0
  for (const { email, ...person } of known) {
    const local = email.slice(0, email.lastIndexOf('@')).split('+')[0]
    const fitting = [
      ...new Set(localParts(person).flatMap((one) => (one.local === local ? [one.pattern] : []))),
    ]
    const [pattern] = fitting
    if (!pattern || fitting.length !== 1) continue
    told += 1
    counts[pattern] = (counts[pattern] ?? 0) + 1
  }
  return { told, counts }
}
