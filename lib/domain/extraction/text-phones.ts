import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js/min'

const MAX_CHARS = 20_000
const MAX_FOUND = 10

/**
 * Telephone numbers in prose, in E.164, each once. Without a country only numbers with their country's code count: digits
 * alone could be anything.
 */
export function phonesInText(text: string, country: string | null): string[] {
  // A date or a number with a decimal point is no telephone number, whatever country it would suit.
  const head = text
    .slice(0, MAX_CHARS)
    .replace(/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g, ' ; ')
  const found = findPhoneNumbersInText(head, country ? { defaultCountry: country as CountryCode } : undefined)
  return [
    ...new Set(found.flatMap(({ number }) => (number.isValid() ? [number.number as string] : []))),
  ].slice(0, MAX_FOUND)
}
