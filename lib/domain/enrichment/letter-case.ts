import { PARTICLES } from '#lib/domain/enrichment/name-words'

const LETTER = /\p{L}/u

/** Whether a text has letters of a script with two cases, all in one of them. */
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

/** One word with a capital first letter, also after hyphens and apostrophes: `o'brien-smith` is `O'Brien-Smith`. */
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

/** One letter for one: ß and its like have no capital that names are written with. */
const upper = (letter: string) =>
  letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter

function upperFirst(part: string): string {
  const at = [...part].findIndex((letter) => LETTER.test(letter))
  return [...part].map((letter, index) => (index === at ? upper(letter) : letter)).join('')
}

/** What is longer is no name, and stays. */
const MAX_NAME_CHARS = 200

/**
 * A person's name out of all capitals or all small letters; mixed case is somebody's choice and stays. Particles become
 * small, except where one begins the name. Text of scripts without case comes back as it was.
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
