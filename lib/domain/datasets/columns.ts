import { cleanText, columnLetter } from '#lib/domain/datasets/cells'
import { trimEndChars } from '#lib/domain/text/text-end'

export const MAX_NAME_CHARS = 200
const MAX_SLUG_CHARS = 63

/**
 * The name of every column, from the header row alone, so that preview and import agree: the header's text on one line, "Column
 * D" if it is empty, and " (2)", " (3)" after a repeated name. Returns a function because rows may be wider than their header.
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
 * Returns a text if it is free, otherwise the first free of its second, third, … form. Remembers the last number of each text: a
 * sheet may have thousands of columns with one name.
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

/** Latin letters without their accents; other scripts stay unchanged, since their marks carry the vowels. */
export function withoutAccents(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text.normalize('NFC').replace(/\p{Script=Latin}/gu, (letter) => {
    const bare = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return LATIN_SPECIAL[bare] ?? bare
  })
}

/**
 * The merge-field name of a column: "E-mail (privé) " -> "e_mail_prive", "電話番号" stays, "2026 score" -> "field_2026_score". Only
 * letters, digits and underscores, so it can be written between {{ and }}. Empty if nothing of the name is left.
 */
export function toSlug(name: string): string {
  const words = withoutAccents(name.normalize('NFKC').toLowerCase())
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^[_\p{M}]+/u, '')
  const slug = trimEndChars(words, '_')
  const named = /^\p{N}/u.test(slug) ? `field_${slug}` : slug
  return trimEndChars([...named].slice(0, MAX_SLUG_CHARS).join(''), '_')
}
