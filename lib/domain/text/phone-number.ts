import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A telephone number as E.164 writes it, `+491701234567`; null for what is none. Without its country's code it is none. Whether
 * it is assigned to anybody is not asked: plans of numbers change faster than programs.
 */
export function e164(written: string): string | null {
  const number = written.startsWith('+') ? parsePhoneNumberFromString(written, { extract: false }) : undefined
  return number?.isPossible() && !number.ext ? number.number : null
}

/** Longer texts are no telephone number, however they are dialled. */
const MAX_LENGTH = 60

/**
 * The same for a number as lists have it: with `00` for the plus, behind `tel:`, or as it is dialled within `country`, an ISO
 * 3166-1 alpha-2 code. Spreadsheets may put an apostrophe before a plus.
 */
export function telephone(written: string, country: string | null): string | null {
  const text = written
    .trim()
    .replace(/^'/, '')
    .replace(/^tel:/i, '')
    .replace(/^00(?=[1-9])/, '+')
  if (text.length > MAX_LENGTH) return null
  if (text.startsWith('+')) return e164(text)
  if (country === null || !isSupportedCountry(country)) return null
  const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false })
  return number?.isPossible() && !number.ext ? number.number : null
}
