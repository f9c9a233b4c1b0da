import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * A telephone number as E.164 writes it, `+491701234567`; null for what is none. Without its country's code it is none. Whether
 * it is assigned to anybody is not asked: plans of numbers change faster than programs.
 */
export function e164(written: string): string | null {
  const number = written.startsWith('+') ? parsePhoneNumberFromString(written, { extract: false }) : undefined
  return number?.isPossible() && !number.ext ? number.number : null
}
