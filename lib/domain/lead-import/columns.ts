import { cleanText, columnLetter } from '#lib/domain/lead-import/cells'

const MAX_NAME_CHARS = 200
const MAX_SLUG_CHARS = 63

/**
 * The name of every column, by the header row alone, so that preview and import agree: the header's text on one
 * line, "Column D" where there is none, and " (2)", " (3)" behind a repeated name. Answers a function because rows
 * may be wider than their header.
 */
export function columnNames(header: readonly string[]): (index: number) => string {
  const taken = new Set<string>()
  const named = header.map((cell) => {
    const text = cleanText(cell).replace(/\s+/g, ' ').slice(0, MAX_NAME_CHARS).toWellFormed()
    if (text === '') return ''
    const name = firstFree(taken, text, (n) => `${text} (${n})`)
    taken.add(name)
    return name
  })
  return (index) => {
    const name = named[index]
    if (name) return name
    const generic = `Column ${columnLetter(index)}`
    return taken.has(generic) ? `${generic} (unnamed)` : generic
  }
}

/** `text` if free, else the first free of numbered(2), numbered(3), … */
export function firstFree(taken: ReadonlySet<string>, text: string, numbered: (n: number) => string): string {
  if (!taken.has(text)) return text
  let n = 2
  while (taken.has(numbered(n))) n++
  return numbered(n)
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
  return text.normalize('NFC').replace(/\p{Script=Latin}/gu, (letter) => {
    const bare = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return LATIN_SPECIAL[bare] ?? bare
  })
}

/**
 * The merge-field name of a column: "E-mail (privé) " -> "e_mail_prive", "電話番号" stays, "2026 score" -> "field_2026_score".
 * Letters, digits and underscores only, so it can be written between {{ and }}. Empty when nothing of the name is left.
 */
export function slugOf(name: string): string {
  const slug = withoutAccents(name.normalize('NFKC').toLowerCase())
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^[_\p{M}]+|_+$/gu, '')
  const named = /^\p{N}/u.test(slug) ? `field_${slug}` : slug
  return [...named].slice(0, MAX_SLUG_CHARS).join('').replace(/_+$/, '')
}
