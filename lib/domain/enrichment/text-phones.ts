import { findPhoneNumbersInText, isSupportedCountry } from 'libphonenumber-js/min'

const MAX_CHARS = 20_000
const MAX_FOUND = 10
const PIECE = 1_000

/**
 * Phone numbers in prose, in E.164, each once. Without a country only numbers with a country code count: bare digits could be
 * anything.
 */
export function phonesInText(text: string, country: string | null): string[] {
  // A date or a decimal number is not a phone number, whatever country it would fit.
  const head = text
    .slice(0, MAX_CHARS)
    .replace(/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g, ' ; ')
    // A run over several lines is skipped: it is unclear where a number would begin.
    .replace(/[\d ().\-/]{100,}/g, ' ; ')
  const options = country && isSupportedCountry(country) ? { defaultCountry: country } : undefined
  const numbers = new Set<string>()
  for (const piece of pieces(head))
    for (const { number } of findPhoneNumbersInText(piece, options)) {
      if (number.isValid()) numbers.add(number.number)
      if (numbers.size === MAX_FOUND) return [...numbers]
    }
  return [...numbers]
}

/** The library takes quadratic time in the length of a text, so it gets pieces that end where no number continues. */
function* pieces(text: string) {
  for (let from = 0, end = 0; from < text.length; from = end) {
    end = Math.min(text.length, from + PIECE)
    while (end < text.length && end > from && /[\d\s().+/-]/.test(text.charAt(end - 1))) end -= 1
    if (end === from) end = from + PIECE
    yield text.slice(from, end)
  }
}
