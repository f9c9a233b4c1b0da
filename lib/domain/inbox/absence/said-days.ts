import {
  type FoundDay,
  monthAfter,
  parseMonth,
  type Reader,
  type Token,
  type Told,
  toInstant,
  yearAt,
} from '#lib/domain/inbox/absence/months'
import { relativeDay, weekdayIndex } from '#lib/domain/inbox/absence/relative-day'
import {
  COUNTED,
  COUNTED_AS,
  FIRST,
  HOURS,
  TO,
  UNTIL,
  UNTIL_WHOLE,
} from '#lib/domain/inbox/absence/return-words'

const DAY_MS = 86_400_000
/**
 * If one reading of an ambiguous date was recent, the other counts only if it is less than this many days
 * away.
 */
const AMBIGUOUS_DAYS = 90

/** Every day that a text names, in any language. The date of the mail determines the year or week. */
export function findDays(tokens: Token[], text: string, told: Told): FoundDay[] {
  return tokens.flatMap((token, index): FoundDay[] => {
    const reader = { ...told, tokens, text, index }
    if (token.number !== null) return numbered(reader, token, token.number)
    return [...monthFirst(reader, token), ...firstInWords(reader, token), ...relativeDay(reader, token)]
  })
}

/** The text between a token and the next one. */
function gap({ tokens, text }: Reader, index: number): string {
  const [before, after] = [tokens[index], tokens[index + 1]]
  return before && after ? text.slice(before.to, after.from) : '\n'
}

function numbered(reader: Reader, token: Token, number: number): FoundDay[] {
  const { tokens, index } = reader
  const [second, third] = [tokens[index + 1], tokens[index + 2]]
  const between = gap(reader, index).trim()
  const glued = gap(reader, index) === between
  const day = (last: Token | undefined, at: number | null): FoundDay[] =>
    at === null ? [] : [{ from: token.from, to: last?.to ?? token.to, at }]
  const digits = token.to - token.from
  const isYearFirst = digits === 4 && /^[-./]$/.test(between) && gap(reader, index + 1) === between
  if (isYearFirst && second?.number != null && third?.number != null)
    return day(third, toInstant(number, second.number, third.number, reader))
  // A number after a dot, slash or hyphen belongs to a date that began earlier.
  if (digits > 2 || isDateTail(reader)) return []
  if (second?.word.startsWith('月') || second?.word === '월') {
    if (third?.number == null) return []
    const year = tokens[index - 1]?.word === '年' ? (tokens[index - 2]?.number ?? null) : null
    const at = toInstant(year, number, third.number, reader)
    return at === null ? [] : [{ from: token.from, to: third.to + 1, at }]
  }
  if (glued && second?.number != null && ['.', '/', '-'].includes(between))
    return digital(reader, token, number)
  return namedMonth(reader, token, number)
}

/**
 * Whether the number is the second or third part of 3.12.2026, 3/12 or 2026-12-03, and not the end of a range
 * such as 23.–30.
 */
function isDateTail(reader: Reader): boolean {
  const { tokens, index, text } = reader
  const before = tokens[index - 1]
  if (before?.number == null) return false
  const between = text.slice(before.to, tokens[index]?.from)
  if (between === '.' || between === '/') return true
  // In 23.12.2026-02.01.2027 and 23/11-27/11 a new date begins here.
  const sign = gap(reader, index)
  const isWhole = before.to - before.from === 4 || text.slice(tokens[index - 2]?.to, before.from) === sign
  const begins = isWhole && /^[./]$/.test(sign)
  return between === '-' && !begins && !monthAfter(reader)
}

/** 3.12., 3.12.2026, 3/12, 12/3/2026, 3-12-2026 */
function digital(reader: Reader, token: Token, first: number): FoundDay[] {
  const { tokens, index, sentAt, text } = reader
  const [second, third] = [tokens[index + 1], tokens[index + 2]]
  const sign = gap(reader, index)
  if (second?.number == null || (sign === '-' && monthAfter({ ...reader, index: index + 1 }))) return []
  const hasYear = third?.number != null && gap(reader, index + 1) === sign
  const year = hasYear ? fullYear(third) : null
  const last = hasYear ? third : second
  if (third && !hasYear && HOURS.includes(third.word)) return []
  if (text[last.to] === ':' || isCounted(reader, hasYear ? index + 3 : index + 2)) return []
  // "24/7", and the second number of "Dec 2-3", are not dates.
  if (sign === '/' && first === 24 && second.number === 7 && !hasYear) return []
  const before = tokens[index - 1]
  if (before && !hasYear && monthFirst({ ...reader, index: index - 1 }, before).length > 0) return []
  const byDay = toInstant(year, second.number, first, reader)
  const byMonth = sign === '.' ? null : toInstant(year, first, second.number, reader)
  const ways = [byDay, byMonth].filter((at) => at !== null).sort((a, b) => a - b)
  const soonest = ways.find((at) => at >= sentAt - DAY_MS)
  if (soonest === undefined) return []
  if (soonest !== ways[0] && soonest > sentAt + AMBIGUOUS_DAYS * DAY_MS) return []
  return [{ from: token.from, to: last.to, at: soonest }]
}

/** Whether the word there is counted by the number before it. */
function isCounted(reader: Reader, index: number): boolean {
  const isNear = (at: number) => /^\s?$/.test(gap(reader, at - 1))
  const word = (at: number) => reader.tokens[at]?.word ?? ''
  if (!isNear(index)) return false
  return (
    COUNTED.includes(word(index)) || (COUNTED_AS.includes(word(index)) && COUNTED.includes(word(index + 1)))
  )
}

const fullYear = (token: Token) => (token.number ?? 0) + (token.to - token.from <= 2 ? 2_000 : 0)

/** "30. November 2026", or "the 30th" of the current or next month. */
function namedMonth(reader: Reader, token: Token, number: number): FoundDay[] {
  const { tokens, index, sentAt } = reader
  const named = monthAfter(reader)
  if (named) {
    const after = tokens[named.place + 1]
    const isYear = after && /^(de|del)$/.test(after.word) ? tokens[named.place + 2] : after
    const year = isYear?.number != null && isYear.to - isYear.from === 4 ? isYear.number : null
    const at = toInstant(year, named.month, number, reader)
    return at === null ? [] : [{ from: token.from, to: tokens[named.place]?.to ?? token.to, at }]
  }
  const ending = tokens[index + 1]
  const before = tokens[index - 1]
  const isOrdinal = ending?.from === token.to && /^(st|nd|rd|th)$/.test(ending.word)
  const isDay = before?.word === 'the' || (before && weekdayIndex(before) >= 0)
  if (!isOrdinal || !isDay) return []
  const sent = new Date(sentAt)
  for (let ahead = 0; ahead < 3; ahead++) {
    const at = Date.UTC(sent.getUTCFullYear(), sent.getUTCMonth() + ahead, number)
    if (new Date(at).getUTCDate() === number && at >= sentAt - DAY_MS)
      return [{ from: token.from, to: ending.to, at }]
  }
  return []
}

/** "November 30th, 2026", "November 23-30" */
function monthFirst(reader: Reader, token: Token): FoundDay[] {
  const { tokens, index, text } = reader
  const month = parseMonth(token)
  const day = tokens[index + 1]
  if (!month || day?.number == null || day.to - day.from > 2 || text[day.to] === ':') return []
  const hasEnding =
    tokens[index + 2]?.from === day.to && /^(st|nd|rd|th)$/.test(tokens[index + 2]?.word ?? '')
  if (!(hasEnding ? /^(\. ?|, ?| )$/ : /^(\. ?| )$/).test(gap(reader, index))) return []
  // In "23 November 9 o'clock" the month belongs to the day before it.
  const previous = tokens[index - 1]
  if (
    previous?.number != null &&
    previous.to - previous.from <= 2 &&
    day.number < 32 &&
    monthAfter({ tokens, text, index: index - 1 })
  )
    return []
  const isSuffixed = tokens[index + 2]?.from === day.to
  const next = index + (isSuffixed ? 3 : 2)
  const [then, after] = [tokens[next], tokens[next + 1]]
  const dash = gap(reader, next - 1).trim()
  const isRange = then?.number != null && then.to - then.from <= 2 && /^[-–—]$/.test(dash)
  const worded =
    then &&
    TO.concat(UNTIL, UNTIL_WHOLE).includes(then.word) &&
    after?.number != null &&
    after.to - after.from <= 2
  const end = isRange ? next : worded ? next + 1 : null
  const last = end !== null && !monthAfter({ tokens, text, index: end }) ? tokens[end] : undefined
  if (end !== null && last?.number != null) {
    const at = toInstant(yearAt(tokens, end + 1), month, last.number, reader)
    return at === null ? [] : [{ from: token.from, to: last.to, at, says: 'until' }]
  }
  const at = toInstant(yearAt(tokens, next), month, day.number, reader)
  return at === null ? [] : [{ from: token.from, to: day.to, at }]
}

/** "the first of December" */
function firstInWords(reader: Reader, token: Token): FoundDay[] {
  const named = FIRST.includes(token.word) ? monthAfter(reader) : null
  const at = named && toInstant(yearAt(reader.tokens, named.place + 1), named.month, 1, reader)
  return named && at !== null
    ? [{ from: token.from, to: reader.tokens[named.place]?.to ?? token.to, at }]
    : []
}
