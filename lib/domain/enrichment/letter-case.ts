import { PARTICLES } from '#lib/domain/enrichment/name-words'

const LETTER = /\p{L}/u

/** Whether all letters of a text are in the same case; null for scripts without case. */
export function isOneCase(text: string): 'upper' | 'lower' | null {
  const isUpper = text === text.toUpperCase()
  if (!isUpper && text !== text.toLowerCase()) return null
  let letters = 0
  for (const letter of text) {
    if (letter.toLowerCase() !== letter.toUpperCase()) letters += 1
    if (letters === 2) return isUpper ? 'upper' : 'lower'
  }
  return null
}

/** One word with a capital first letter, also after hyphens and apostrophes: `o'brien-smith` becomes `O'Brien-Smith`. */
export function capitalised(word: string): string {
  return word
    .toLowerCase()
    .split(/([-‐‑’'])/)
    .map((part, index, parts) => {
      const isPossessive = /^[’']$/.test(parts[index - 1] ?? '') && part.length === 1
      return isPossessive ? part : upperFirst(part)
    })
    .join('')
    .replace(/^Mc(\p{L})(?=\p{L}{2})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`)
}

/** One letter for one: ß and similar letters have no capital that is used in names. */
const upper = (letter: string) =>
  letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter

function upperFirst(part: string): string {
  const at = [...part].findIndex((letter) => LETTER.test(letter))
  return [...part].map((letter, index) => (index === at ? upper(letter) : letter)).join('')
}

/** A longer text is not a name and stays unchanged. */
const MAX_NAME_CHARS = 200

/**
 * Fixes a person's name in all capitals or all lower case; mixed case is intended and stays. Particles become lower case, except
 * at the beginning of the name. Text in scripts without case is returned unchanged.
 */
export function repairNameCase(name: string, { isFamily = false } = {}): string {
  if (name.length > MAX_NAME_CHARS || !isOneCase(name)) return name
  const parts = name.split(/\s+/)
  return parts
    .map((word, index) => {
      const bare = word.toLowerCase()
      const mayBeParticle = isFamily ? index < parts.length - 1 : index > 0 && index < parts.length - 1
      return mayBeParticle && PARTICLES.has(bare) ? bare : capitalised(word)
    })
    .join(' ')
}
