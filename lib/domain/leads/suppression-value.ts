import { readEmailCell } from '#lib/domain/datasets/email-address'

/**
 * What stands on a suppression list for one text: an address as imports write it (lower case, domain in punycode), or
 * "@domain" for `domain` and `@domain`. A text with several addresses means each of them.
 */
export function readSuppression(text: string): { values: string[] } | { reason: string } {
  const trimmed = text.trim()
  const isDomain = trimmed !== '' && trimmed.lastIndexOf('@') <= 0
  if (isDomain && /[\s,;|]/.test(trimmed)) return { reason: 'There is more in it than one domain.' }
  const reading = readEmailCell(isDomain ? `x@${trimmed.replace(/^@/, '')}` : trimmed)
  if (reading.kind === 'missing') return { reason: 'There is neither an address nor a domain.' }
  if (reading.kind === 'invalid') return { reason: reading.reason }
  const addresses = [reading.email, ...reading.others]
  return { values: isDomain ? addresses.map((email) => email.slice(1)) : addresses }
}

const HEADER = /^\W*(e-?mail([ _-]?address)?|address|value|domain|recipient)\W*$/i

/** The column of a list that holds the values, by its name in the first row; -1 where that row names none. */
export const valueColumn = (firstRow: readonly string[]) => firstRow.findIndex((cell) => HEADER.test(cell))
