import { readEmailCell } from '#lib/domain/datasets/email-address'

/** A domain in lower case and punycode, with a real ending. Null for anything else. */
export function checkedDomain(text: string): string | null {
  const reading = readEmailCell(`x@${text.trim().replace(/\.$/, '')}`)
  return reading.kind === 'address' && reading.others.length === 0 ? reading.email.slice(2) : null
}
