import { readEmailCell } from '#lib/domain/datasets/email-address'
import { trimEndChars } from '#lib/domain/text/text-end'

export type FoundAddress = {
  email: string
  /** Written in words, such as "name at domain dot com". */
  is_spelled_out: boolean
  /** Its position in the text. */
  at: number
}

/** The most characters read of a cell. */
const MAX_CHARS = 20_000
const MAX_FOUND = 20

/** Matches the @ first and then looks behind it, so long runs without an @ cost nothing. */
const PLAIN = /@(?<=([\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64})@)([\p{L}\p{N}.-]{1,253})/gu
// Blanks come one at a time here, whatever the cell holds.
const AT = / ?(?:\[ ?(?:at|@|ät) ?\]|\( ?(?:at|@|ät) ?\)|\{ ?(?:at|@) ?\}|< ?at ?>| @ | at ) ?/giu
const DOT = String.raw` ?(?:\[ ?(?:dot|punkt|\.) ?\]|\( ?(?:dot|punkt|\.) ?\)|\{ ?(?:dot|\.) ?\}| (?:dot|punkt) |\.) ?`
const LOCAL = /[\p{L}\p{N}_+-]{1,32}(?:(?:\.| (?:dot|punkt) |\[dot\]|\(dot\))[\p{L}\p{N}_+-]{1,32}){0,3}$/iu
const MAX_LOCAL = 4 * 32 + 3 * ' punkt '.length
const DOMAIN = new RegExp(String.raw`[\p{L}\p{N}-]{1,63}(?:${DOT}[\p{L}\p{N}-]{2,63}){1,3}`, 'iuy')
const ANY_DOT = new RegExp(DOT, 'giu')
/** "meet me at home.today" is prose: in words, only endings count that people write out. */
const COMMON_ENDING =
  /\.(com|net|org|io|co|ai|app|dev|eu|de|at|ch|fr|es|it|pt|nl|be|lu|uk|ie|se|no|dk|fi|pl|cz|sk|hu|ro|bg|gr|tr|ru|ua|us|ca|mx|br|ar|cl|in|cn|jp|kr|sg|hk|au|nz|za|ae|il|info|biz|edu|gov|tech|agency|consulting)$/

/** Addresses in prose, in order, each once: in plain form and obfuscated in words. */
export function addressesInText(text: string): FoundAddress[] {
  const head = text.slice(0, MAX_CHARS).replace(/\s+/g, ' ')
  const addresses: FoundAddress[] = []
  const take = (written: string, at: number, is_spelled_out: boolean) => {
    if (addresses.length >= MAX_FOUND) return
    const reading = readEmailCell(trimEndChars(written.replace(/^[.'*/]+/, ''), ".'*/-"))
    if (reading.kind !== 'address') return
    if (is_spelled_out && !COMMON_ENDING.test(reading.email)) return
    if (!addresses.some((one) => one.email === reading.email))
      addresses.push({ email: reading.email, is_spelled_out, at })
  }
  for (const { index, 1: local = '', 2: domain = '' } of head.matchAll(PLAIN))
    take(`${local}@${domain}`, index - local.length, false)
  for (const { local, domain, at } of spelledOut(head))
    take(`${local.replace(ANY_DOT, '.')}@${domain.replace(ANY_DOT, '.')}`, at, true)
  return addresses.toSorted((a, b) => a.at - b.at)
}

/** Looks for the "at" in words, and around it no further than an address can reach. */
function* spelledOut(text: string) {
  let from = 0
  let taken = 0
  while (true) {
    AT.lastIndex = from
    const sign = AT.exec(text)
    if (!sign) return
    from = sign.index + 1
    DOMAIN.lastIndex = sign.index + sign[0].length
    const domain = DOMAIN.exec(text)?.[0]
    const local = domain && LOCAL.exec(text.slice(Math.max(taken, sign.index - MAX_LOCAL), sign.index))?.[0]
    if (!domain || !local) continue
    yield { local, domain, at: sign.index - local.length }
    from = taken = sign.index + sign[0].length + domain.length
  }
}
