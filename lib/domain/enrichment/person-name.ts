import { isOneCase, repairNameCase } from '#lib/domain/enrichment/letter-case'
import { PARTICLES, PREFIXES, SUFFIXES } from '#lib/domain/enrichment/name-words'

/** A first name that consists of initials cannot be used in a greeting. */
export const isOnlyInitials = (name: string) => name.split(' ').every(isInitial)

export type SplitName =
  | {
      kind: 'split'
      first_name: string
      last_name: string
      prefix: string
      suffix: string
      /** False if another reading is possible: three or more names without a particle, or initials only. */
      is_certain: boolean
    }
  | { kind: 'unsure'; reason: string }

/** Han, kana and hangul: the family name comes first in most lists, but not in all. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Text that no name contains: it is an address, a phone number, a company or several people. */
const NO_NAME =
  /[@\d&+/\\|<>{}[\]#=_:;?!*]|\b(and|und|et|y|team|gmbh|inc|ltd|llc|info|sales|support|office)\b/i
const MAX_CHARS = 120

const bare = (word: string) => word.replace(/[.,]/g, '').toLowerCase()
const isInitial = (word: string) => /^(\p{Lu}\.?|(\p{Lu}\.){2,3})$/u.test(word)

/**
 * Splits a full name into first and last name. Removes titles and suffixes, keeps particles with the family name, reads `Last,
 * First`, and fixes all capitals. Invents nothing: both names are words of the text, in its order. Reports uncertainty for East
 * Asian names, single words and anything that is not a name.
 */
export function splitFullName(text: string): SplitName {
  const clean = text
    .replace(/\([^()]*\)|"[^"]*"|“[^“”]*”/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (clean === '' || clean.length > MAX_CHARS) return { kind: 'unsure', reason: 'no_name' }
  if (EAST_ASIAN.test(clean)) return { kind: 'unsure', reason: 'name_order_unknown' }
  const { prefix, suffix, words, isReversed } = withoutTitles(clean)
  if (words.length === 0 || NO_NAME.test(words.join(' '))) return { kind: 'unsure', reason: 'no_name' }
  if (words.length === 1) return { kind: 'unsure', reason: 'only_one_word' }
  const [given, family] = isReversed ? [words.slice(isReversed), words.slice(0, isReversed)] : split(words)
  const first = withoutMiddleInitials(given).join(' ')
  const last = family.join(' ')
  const wholeCase = isOneCase(words.join(' '))
  return {
    kind: 'split',
    first_name: wholeCase ? repairNameCase(toCase(first, wholeCase)) : first,
    last_name: wholeCase ? repairNameCase(toCase(last, wholeCase), { isFamily: true }) : mendShouted(last),
    prefix,
    suffix,
    is_certain: isClear(given, family, isReversed > 0),
  }
}

const toCase = (text: string, which: 'upper' | 'lower') =>
  which === 'upper' ? text.toUpperCase() : text.toLowerCase()

/** Lists from France and elsewhere write only the family name in capitals. Two letters may be initials. */
const mendShouted = (last: string) =>
  isOneCase(last) === 'upper' && last.replace(/\P{L}/gu, '').length > 2
    ? repairNameCase(last, { isFamily: true })
    : last

function isClear(given: string[], family: string[], isReversed: boolean): boolean {
  if (given.every(isInitial) || family.every(isInitial)) return false
  if (isReversed) return true
  const named = family.filter((word) => !PARTICLES.has(word.toLowerCase()))
  return named.length === 1 && given.slice(1).every(isInitial)
}

const withoutMiddleInitials = (given: string[]) =>
  isInitial(given[0] ?? '') ? given : given.filter((word) => !isInitial(word))

/** First name: all words before the family name, which begins at a particle or is the last word. */
function split(words: string[]): [string[], string[]] {
  const at = words.findIndex(
    (word, index) =>
      index > 0 && index < words.length - 1 && PARTICLES.has(word.toLowerCase()) && !/\.$/.test(word),
  )
  const from = at > 0 ? at : words.length - 1
  return [words.slice(0, from), words.slice(from)]
}

/** `isReversed` is the number of words of a family name before a comma; 0: it was not before a comma. */
function withoutTitles(clean: string) {
  const [head = '', ...tail] = clean.split(',').map((part) => part.trim())
  const tailWords = tail.flatMap((part) => part.split(' ')).filter(Boolean)
  const suffixes = tailWords.filter((word) => SUFFIXES.has(bare(word)))
  const rest = tailWords.filter((word) => !SUFFIXES.has(bare(word)))
  let front = head.split(' ').filter(Boolean)
  const prefixes: string[] = []
  const takePrefixes = (words: string[]) => {
    let at = 0
    while (at < words.length - 1 && PREFIXES.has(bare(words[at] ?? '')) && !isLoneLetter(words[at] ?? ''))
      prefixes.push(words[at++] ?? '')
    return words.slice(at)
  }
  front = takePrefixes(front)
  while (front.length > 1 && isSuffix(front.at(-1) ?? '')) suffixes.unshift(front.pop() ?? '')
  const given = takePrefixes(rest)
  const words = [...front, ...given]
  return {
    prefix: prefixes.join(' '),
    suffix: suffixes.join(' '),
    words,
    isReversed: given.length > 0 ? front.length : 0,
  }
}

/** `M.` and `M` may be an initial or "Monsieur", so they stay with the name. */
const isLoneLetter = (word: string) => /^\p{L}\.?$/u.test(word)

/** Two-letter degrees are also family names (Ma, Ba): they count only with dots in capitals, or as numerals. */
const isSuffix = (word: string) =>
  SUFFIXES.has(bare(word)) &&
  (bare(word).length > 2 || /\./.test(word) || /^(II|IV|JR|Jr|Sr|SR|MD|JD|RN|PE)$/.test(word))
