import { readEmailCell } from '#lib/domain/lead-import/email-address'

export type FoundAddress = {
  email: string
  /** Written out in words, such as "name at domain dot com". */
  is_spelled_out: boolean
  /** Where in the text it begins. */
  at: number
}

/** A cell of prose; more is not read. */
const MAX_CHARS = 20_000
const MAX_FOUND = 20

const PLAIN = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\p{L}\p{N}.-]{1,253}/gu
const AT = String.raw`\s*(?:\[\s*(?:at|@|ät)\s*\]|\(\s*(?:at|@|ät)\s*\)|\{\s*(?:at|@)\s*\}|<\s*at\s*>|\s@\s|\s+at\s+)\s*`
const DOT = String.raw`\s*(?:\[\s*(?:dot|punkt|\.)\s*\]|\(\s*(?:dot|punkt|\.)\s*\)|\{\s*(?:dot|\.)\s*\}|\s+(?:dot|punkt)\s+|\.)\s*`
const SPELLED = new RegExp(
  String.raw`([\p{L}\p{N}_+-]{1,32}(?:(?:\.|\s(?:dot|punkt)\s|\[dot\]|\(dot\))[\p{L}\p{N}_+-]{1,32}){0,3})${AT}([\p{L}\p{N}-]{1,63}(?:${DOT}[\p{L}\p{N}-]{2,63}){1,3})`,
  'giu',
)
const ANY_DOT = new RegExp(DOT, 'giu')
/** "meet me at home.today" is prose: in words, the ending must be one that people spell out. */
const COMMON_ENDING =
  /\.(com|net|org|io|co|ai|app|dev|eu|de|at|ch|fr|es|it|pt|nl|be|lu|uk|ie|se|no|dk|fi|pl|cz|sk|hu|ro|bg|gr|tr|ru|ua|us|ca|mx|br|ar|cl|in|cn|jp|kr|sg|hk|au|nz|za|ae|il|info|biz|edu|gov|tech|agency|consulting)$/

/** Addresses in prose, in their order, each once: as they are and spelled out against robots. */
export function addressesInText(text: string): FoundAddress[] {
  const head = text.slice(0, MAX_CHARS)
  const found: FoundAddress[] = []
  const take = (written: string, at: number, is_spelled_out: boolean) => {
    const reading = readEmailCell(written.replace(/^[.'*/]+|[.'*/-]+$/g, ''))
    if (reading.kind !== 'address' || found.length >= MAX_FOUND) return
    if (is_spelled_out && !COMMON_ENDING.test(reading.email)) return
    if (!found.some((one) => one.email === reading.email))
      found.push({ email: reading.email, is_spelled_out, at })
  }
  for (const match of head.matchAll(PLAIN)) take(match[0], match.index, false)
  for (const match of head.matchAll(SPELLED)) {
    const [, local = '', domain = ''] = match
    take(`${local.replace(ANY_DOT, '.')}@${domain.replace(ANY_DOT, '.')}`, match.index, true)
  }
  return found.toSorted((a, b) => a.at - b.at)
}
