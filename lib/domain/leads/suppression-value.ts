import { readEmailCell } from '#lib/domain/datasets/email-address'
import { profileAddress } from '#lib/domain/social/profile-address'
import { telephone } from '#lib/domain/text/phone-number'

/**
 * The suppression entries for one text: an address as imports write it (lower case, domain in punycode), "@domain" for `domain`
 * and `@domain`, a profile as `linkedin.com/in/ada`, a phone number in E.164. A text with several addresses gives an entry for
 * each. `country`, an ISO 3166-1 alpha-2 code, applies to numbers without a country code.
 */
export function readSuppression(
  text: string,
  country: string | null = null,
): { values: string[] } | { reason: string } {
  const trimmed = text.trim()
  if (isDialled(trimmed)) return readTelephone(trimmed, country)
  if (trimmed.includes('/')) return readProfile(trimmed, country)
  const isDomain = trimmed !== '' && trimmed.lastIndexOf('@') <= 0
  if (isDomain && /[\s,;|]/.test(trimmed)) return { reason: 'It contains more than one domain.' }
  const reading = readEmailCell(isDomain ? `x@${trimmed.replace(/^@/, '')}` : trimmed)
  if (reading.kind === 'missing')
    return { reason: 'It contains no address, domain, profile or phone number.' }
  if (reading.kind === 'invalid') return { reason: reading.reason }
  const addresses = [reading.email, ...reading.others]
  return { values: isDomain ? addresses.map((email) => email.slice(1)) : addresses }
}

const isDialled = (text: string) => /^'?(tel:)?\+?[\d\s()./-]+$/i.test(text) && /\d/.test(text)

function readTelephone(text: string, country: string | null) {
  const number = telephone(text, country)
  return number === null
    ? { reason: 'Phone numbers need a country code, such as +49 170 1234567.' }
    : { values: [number] }
}

const WHATSAPP = /^(https?:\/\/)?wa\.me\/(\d{6,15})\/?$/i

function readProfile(text: string, country: string | null) {
  const dialled = WHATSAPP.exec(text)?.[2]
  if (dialled) return readTelephone(`+${dialled}`, country)
  const address = profileAddress(text)
  // An address may have a slash before its @; no profile of these networks has an @ there.
  if (address === null && text.lastIndexOf('@') > 0) return readAddress(text)
  return address === null
    ? { reason: 'It is not a LinkedIn, X, Instagram or Telegram profile.' }
    : { values: [address] }
}

function readAddress(text: string) {
  const reading = readEmailCell(text)
  if (reading.kind === 'address') return { values: [reading.email, ...reading.others] }
  return { reason: reading.kind === 'invalid' ? reading.reason : 'It contains no address.' }
}

const HEADER = /^\W*(e-?mail([ _-]?address)?|address|value|domain|recipient)\W*$/i
const OTHER_HEADER =
  /^\W*(phone([ _-]?number)?|telephone|mobile|linkedin([ _-]?(url|profile))?|profile([ _-]?url)?)\W*$/i
const COUNTRY = /^\W*country([ _-]?code)?\W*$/i

/** The column of a list that holds the values, by the header; -1 if the header names none. */
export function valueColumn(firstRow: readonly string[]): number {
  const named = firstRow.findIndex((cell) => HEADER.test(cell))
  return named >= 0 ? named : firstRow.findIndex((cell) => OTHER_HEADER.test(cell))
}

/** The column with the country for phone numbers; -1 if there is none. */
export const countryColumn = (firstRow: readonly string[]) => firstRow.findIndex((cell) => COUNTRY.test(cell))
