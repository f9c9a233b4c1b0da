import { COMMON_PASSWORDS } from '#lib/domain/workspaces/common-passwords'
import { isInFilter } from '#lib/domain/workspaces/password-filter'

/** Why a password would be among the first guesses. */
export type PasswordWeakness = 'common' | 'common_with_little_added' | 'pattern' | 'about_you'

/** The most characters around a common word that still count as "little added": guessers try added years and exclamation marks. */
const LITTLE = 6
const PRODUCT = 'opener'

const FILTER = Buffer.from(COMMON_PASSWORDS, 'base64')
const isListed = (word: string) => isInFilter(FILTER, word)

const isLetter = (char: string) => char.toLowerCase() !== char.toUpperCase()
/** Characters that stand for letters at the beginning of a word count as letters. */
const isWordStart = (char: string) => isLetter(char) || char === '@' || char === '$'

/** The word in the middle, and what is added around it. */
function splitCore(text: string): { core: string; added: string } {
  const chars = [...text]
  const from = chars.findIndex(isWordStart)
  if (from < 0) return { core: '', added: text }
  const to = chars.findLastIndex(isLetter) + 1
  return {
    core: chars.slice(from, to).join(''),
    added: [...chars.slice(0, from), ...chars.slice(to)].join(''),
  }
}

const STANDS_FOR: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The word as typed, and with symbols read as letters; 1 and ! are i or l. */
function readings(word: string): string[] {
  const read = (table: Record<string, string>) => [...word].map((char) => table[char] ?? char).join('')
  return [word, read(STANDS_FOR), read({ ...STANDS_FOR, '1': 'l', '!': 'l' })]
}

const isCommonWord = (word: string) => readings(word).some(isListed)

/** A repeated unit, or a run of neighbouring characters: `abcabcabcabc`, `9876543210`. */
function isPattern(text: string): boolean {
  const period = `${text}${text}`.indexOf(text, 1)
  if (period < text.length && (period <= 4 || isCommonWord(text.slice(0, period)))) return true
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  // 0 follows 9.
  const isRun = (by: 1 | -1) => steps.every((step) => step === by || step === -9 * by)
  return isRun(1) || isRun(-1)
}

const splitParts = (text: string) =>
  ['+', '_', '-'].reduce((parted, sign) => parted.replaceAll(sign, '.'), text).split('.')

/** The address, its local part and domain, and their parts; parts of fewer than four characters are ignored. */
function wordsAbout(email: string): string[] {
  const address = email.toLowerCase()
  const [name = '', host = ''] = address.split('@')
  const parts = [name, host].flatMap((text) => [text, ...splitParts(text)])
  return [...new Set([address, ...parts, PRODUCT])]
    .filter((word) => word.length >= 4)
    .sort((one, other) => other.length - one.length)
}

/** `email` is the address of the password's owner. Null if there is no objection. */
export function passwordWeakness(password: string, email: string): PasswordWeakness | null {
  const text = password.normalize('NFKC').toLowerCase()
  if (isListed(text)) return 'common'
  if (isPattern(text)) return 'pattern'
  const { core, added } = splitCore(text)
  if (isCommonWord(core) && (added.length <= LITTLE || isListed(added) || isPattern(added)))
    return 'common_with_little_added'
  const rest = wordsAbout(email).reduce((left, word) => left.replaceAll(word, ''), text)
  if (rest !== text && (rest.length < LITTLE || isListed(rest) || isCommonWord(splitCore(rest).core)))
    return 'about_you'
  return null
}
