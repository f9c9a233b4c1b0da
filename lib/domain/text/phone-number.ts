import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A phone number in E.164, `+491701234567`; null for anything else, such as a number without a country code. Whether it is
 * assigned is not checked: numbering plans change faster than programs.
 */
export function e164(written: string): string | null {
  const number = written.startsWith('+') ? parsePhoneNumberFromString(written, { extract: false }) : undefined
  return number?.isPossible() && !number.ext ? number.number : null
}

/** Longer texts are no phone numbers. */
const MAX_LENGTH = 60

/**
 * The same for a number as lists have it: with `00` instead of the plus, after `tel:`, or as dialled within `country`, an ISO
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
