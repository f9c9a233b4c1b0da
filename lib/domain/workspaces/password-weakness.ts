import { COMMON_PASSWORDS } from '#lib/domain/workspaces/common-passwords'
import { isInFilter } from '#lib/domain/workspaces/password-filter'

/** Why a password would be guessed among the first. */
export type PasswordWeakness = 'common' | 'common_with_little_added' | 'pattern' | 'about_you'

/** What is found in every leak is known; so is that people add a year or an exclamation mark to it. */
const LITTLE = 6
const PRODUCT = 'opener'

const FILTER = Buffer.from(COMMON_PASSWORDS, 'base64')
const isListed = (word: string) => isInFilter(FILTER, word)

const isLetter = (char: string) => char.toLowerCase() !== char.toUpperCase()
/** Signs that stand for letters inside of a word are taken for them. */
const isWordStart = (char: string) => isLetter(char) || char === '@' || char === '$'

/** The word in the middle, and how much stands around it. */
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

/** As it is, and with the signs that stand for letters read as letters; 1 and ! are i or l. */
function readings(word: string): string[] {
  const read = (table: Record<string, string>) => [...word].map((char) => table[char] ?? char).join('')
  return [word, read(STANDS_FOR), read({ ...STANDS_FOR, '1': 'l', '!': 'l' })]
}

const isCommonWord = (word: string) => readings(word).some(isListed)

/** One unit again and again, or each sign the neighbour of the one before: `abcabcabcabc`, `9876543210`. */
function isPattern(text: string): boolean {
  const period = `${text}${text}`.indexOf(text, 1)
  if (period < text.length && (period <= 4 || isCommonWord(text.slice(0, period)))) return true
  const codes = [...text].map((char) => char.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  // After 9 comes 0.
  const isRun = (by: 1 | -1) => steps.every((step) => step === by || step === -9 * by)
  return isRun(1) || isRun(-1)
}

const splitParts = (text: string) =>
  ['+', '_', '-'].reduce((parted, sign) => parted.replaceAll(sign, '.'), text).split('.')

/** The address, its name and domain, and the parts of them; what is shorter than four signs says too little. */
function wordsAbout(email: string): string[] {
  const address = email.toLowerCase()
  const [name = '', host = ''] = address.split('@')
  const parts = [name, host].flatMap((text) => [text, ...splitParts(text)])
  return [...new Set([address, ...parts, PRODUCT])]
    .filter((word) => word.length >= 4)
    .sort((one, other) => other.length - one.length)
}

/** `email` is the address of whose password it is to be. Null where nothing speaks against it. */
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
