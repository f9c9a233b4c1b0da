import { cleanText, columnLetter } from '#lib/domain/datasets/cells'
import { trimEndChars } from '#lib/domain/text/text-end'

export const MAX_NAME_CHARS = 200
const MAX_SLUG_CHARS = 63

/**
 * The name of every column, by the header row alone, so that preview and import agree: the header's text on one
 * line, "Column D" where there is none, and " (2)", " (3)" behind a repeated name. Answers a function because rows
 * may be wider than their header.
 */
export function columnNames(header: readonly string[]): (index: number) => string {
  const taken = new Set<string>()
  const free = freeNames(taken, (text, n) => `${text} (${n})`)
  const named = header.map((cell) => {
    const text = cleanText(cell).replace(/\s+/g, ' ').slice(0, MAX_NAME_CHARS).toWellFormed()
    return text === '' ? '' : free(text)
  })
  return (index) => {
    const name = named[index]
    if (name) return name
    const generic = `Column ${columnLetter(index)}`
    return taken.has(generic) ? `${generic} (unnamed)` : generic
  }
}

/**
 * Takes a text if it is free, else the first free of its second, third, … name. Remembers how far each text came: a
 * sheet may have thousands of columns of one name.
 */
export function freeNames(taken: Set<string>, numbered: (text: string, n: number) => string) {
  const next = new Map<string, number>()
  return (text: string): string => {
    let name = text
    let n = next.get(text) ?? 2
    while (taken.has(name)) name = numbered(text, n++)
    next.set(text, n)
    taken.add(name)
    return name
  }
}

const LATIN_SPECIAL: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
}

/** Latin letters without their accents; other scripts untouched, whose marks carry the vowels. */
export function withoutAccents(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.normalize('NFC').replace(/\p{Script=Latin}/gu, (letter) => {
    const bare = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return LATIN_SPECIAL[bare] ?? bare
  })
}

/**
 * The merge-field name of a column: "E-mail (privé) " -> "e_mail_prive", "電話番号" stays, "2026 score" -> "field_2026_score".
 * Letters, digits and underscores only, so it can be written between {{ and }}. Empty when nothing of the name is left.
 */
export function toSlug(name: string): string {
  const words = withoutAccents(name.normalize('NFKC').toLowerCase())
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^[_\p{M}]+/u, '')
  const slug = trimEndChars(words, '_')
  const named = /^\p{N}/u.test(slug) ? `field_${slug}` : slug
  return trimEndChars([...named].slice(0, MAX_SLUG_CHARS).join(''), '_')
}
