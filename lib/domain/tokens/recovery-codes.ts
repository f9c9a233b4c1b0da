/** 32 letters and digits, without those that are easily confused. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const LETTERS = 16
const GROUP = 4

/** A code from 16 random bytes: 80 bits, which cannot be guessed, in four groups that a person can copy. */
export function recoveryCode(random: Uint8Array): string {
  const letters = Array.from(random.subarray(0, LETTERS), (byte) => ALPHABET[byte % 32])
  const groups = Array.from({ length: LETTERS / GROUP }, (_, at) =>
    letters.slice(at * GROUP, (at + 1) * GROUP),
  )
  return groups.map((group) => group.join('')).join('-')
}

/** Normalizes a typed code to its original form; null for text that cannot be one. */
export function readRecoveryCode(text: string): string | null {
  const letters = [...text.toLowerCase()].filter((letter) => letter !== '-' && letter !== ' ')
  if (letters.length !== LETTERS || !letters.every((letter) => ALPHABET.includes(letter))) return null
  return recoveryCode(Uint8Array.from(letters, (letter) => ALPHABET.indexOf(letter)))
}
