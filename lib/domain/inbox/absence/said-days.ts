import {
  HOURS,
  MONTHS,
  NEXT_WEEK,
  TO,
  TOMORROW,
  UNTIL,
  WEEK,
  WEEKDAYS,
} from '#lib/domain/inbox/absence/return-words'

const DAY_MS = 86_400_000

export type Token = { word: string; number: number | null; from: number; to: number }
export type FoundDay = { from: number; to: number; at: number; says?: 'until' }

export function tokenize(text: string): Token[] {
  return [...text.matchAll(/\p{L}+|\d+/gu)].map(({ 0: word, index }) => ({
    word,
    number: /^\d{1,4}$/.test(word) ? Number(word) : null,
    from: index,
    to: index + word.length,
  }))
}

/** Every day that a text names, in whatever language; `sentAt` says which year or week is meant. */
export function findDays(tokens: Token[], text: string, sentAt: number): FoundDay[] {
  return tokens.flatMap((token, index): FoundDay[] => {
    const reader = { tokens, text, sentAt, index }
    if (token.number !== null) return numbered(reader, token, token.number)
    return [...monthFirst(reader, token), ...relative(reader, token)]
  })
}

type Reader = { tokens: Token[]; text: string; sentAt: number; index: number }

/** What stands between a token and the one after it. */
function gap({ tokens, text }: Reader, index: number): string {
  const [before, after] = [tokens[index], tokens[index + 1]]
  return before && after ? text.slice(before.to, after.from) : '\n'
}

function numbered(reader: Reader, token: Token, number: number): FoundDay[] {
  const { tokens, index, sentAt } = reader
  const [second, third] = [tokens[index + 1], tokens[index + 2]]
  const between = gap(reader, index).trim()
  const glued = gap(reader, index) === between
  const day = (last: Token | undefined, at: number | null): FoundDay[] =>
    at === null ? [] : [{ from: token.from, to: last?.to ?? token.to, at }]
  const digits = token.to - token.from
  if (digits === 4 && between === '-' && second?.number != null && third?.number != null)
    return day(third, toInstant(number, second.number, third.number, sentAt))
  // What follows a dot, a slash or a hyphen belongs to a date that began before it.
  if (digits > 2 || isDateTail(reader)) return []
  if (second?.word.startsWith('月') || second?.word === '월') {
    if (third?.number == null) return []
    const year = tokens[index - 1]?.word === '年' ? (tokens[index - 2]?.number ?? null) : null
    const at = toInstant(year, number, third.number, sentAt)
    return at === null ? [] : [{ from: token.from, to: third.to + 1, at }]
  }
  if (glued && second?.number != null && ['.', '/', '-'].includes(between))
    return digital(reader, token, number)
  return namedMonth(reader, token, number)
}

/** Whether the number is the second or third of 3.12.2026, 3/12 or 2026-12-03, and not the end of a range such as 23.–30. */
function isDateTail(reader: Reader): boolean {
  const { tokens, index, text } = reader
  const before = tokens[index - 1]
  if (before?.number == null) return false
  const between = text.slice(before.to, tokens[index]?.from)
  if (between === '.' || between === '/') return true
  return between === '-' && !monthAfter(reader)
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
  if (text[last.to] === ':') return []
  const dayFirst = toInstant(year, second.number, first, sentAt)
  const monthFirst = sign === '.' ? null : toInstant(year, first, second.number, sentAt)
  const [soonest] = [dayFirst, monthFirst]
    .filter((at): at is number => at !== null && at >= sentAt - DAY_MS)
    .sort((a, b) => a - b)
  return soonest === undefined ? [] : [{ from: token.from, to: last.to, at: soonest }]
}

const fullYear = (token: Token) => (token.number ?? 0) + (token.to - token.from <= 2 ? 2_000 : 0)

/** The month named behind a day ("30. November", "5th of January", "30 de noviembre"), and where it stands. */
function monthAfter({ tokens, index, text }: Pick<Reader, 'tokens' | 'index' | 'text'>) {
  let place = index + 1
  const number = tokens[index]
  const ending = tokens[place]
  if (number && ending && ending.from === number.to && /^(st|nd|rd|th|er|e|a)$/.test(ending.word)) place++
  if (tokens[place] && /^(of|de|di|d)$/.test(tokens[place]?.word ?? '')) place++
  const month = parseMonth(tokens[place])
  const token = tokens[place]
  const between = text.slice(number?.to, token?.from)
  return month && between.length <= 8 && !/[-–—,]/.test(between) ? { month, place } : null
}

/** "30. November 2026", or "the 30th" of the month that comes. */
function namedMonth(reader: Reader, token: Token, number: number): FoundDay[] {
  const { tokens, index, sentAt } = reader
  const named = monthAfter(reader)
  if (named) {
    const after = tokens[named.place + 1]
    const isYear = after && /^(de|del)$/.test(after.word) ? tokens[named.place + 2] : after
    const year = isYear?.number != null && isYear.to - isYear.from === 4 ? isYear.number : null
    const at = toInstant(year, named.month, number, sentAt)
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
  const { tokens, index, sentAt, text } = reader
  const month = parseMonth(token)
  const day = tokens[index + 1]
  if (!month || day?.number == null || day.to - day.from > 2 || text[day.to] === ':') return []
  if (!/^(\. ?| )$/.test(gap(reader, index))) return []
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
    then && TO.concat(UNTIL).includes(then.word) && after?.number != null && after.to - after.from <= 2
  const last = isRange ? then : worded && !monthAfter({ tokens, text, index: next + 1 }) ? after : null
  if (last?.number != null) {
    const at = toInstant(null, month, last.number, sentAt)
    return at === null ? [] : [{ from: token.from, to: last.to, at, says: 'until' }]
  }
  const year = then?.number != null && then.to - then.from === 4 ? then.number : null
  const at = toInstant(year, month, day.number, sentAt)
  return at === null ? [] : [{ from: token.from, to: day.to, at }]
}

/** "Monday", "tomorrow", "next week" */
function relative({ tokens, index, sentAt }: Reader, token: Token): FoundDay[] {
  const today = Math.floor(sentAt / DAY_MS) * DAY_MS
  const weekday = weekdayIndex(token)
  const [next, after] = [tokens[index + 1], tokens[index + 2]]
  if (weekday >= 0) {
    // Of a date that names its weekday too, the date counts.
    if (
      next?.number != null ||
      (after?.number != null && /^(the|am|den|dem|le|el|il|op|de|\p{L}{3,10})$/u.test(next?.word ?? ''))
    )
      return []
    const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7 || 7
    return [{ from: token.from, to: token.to, at: today + ahead * DAY_MS }]
  }
  if (TOMORROW.includes(token.word) && tokens[index - 1]?.word !== 'am')
    return [{ from: token.from, to: token.to, at: today + DAY_MS }]
  const pair = [token.word, next?.word ?? '']
  const isNextWeek =
    (NEXT_WEEK.includes(pair[0] ?? '') && WEEK.includes(pair[1] ?? '')) ||
    (WEEK.includes(pair[0] ?? '') && NEXT_WEEK.includes(pair[1] ?? ''))
  if (!isNextWeek) return []
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  // Of a week it is the first day on which the person is there, or away: it begins on Monday.
  return [{ from: token.from, to: next?.to ?? token.to, at: today + toMonday * DAY_MS }]
}

export function weekdayIndex({ word }: Token): number {
  return WEEKDAYS.findIndex((names) => names.includes(word))
}

/** 1…12; 0 for what names no month. */
function parseMonth(token: Token | undefined): number {
  if (!token || token.number !== null || token.word.length < 3 || token.word.length > 13) return 0
  let best = { month: 0, length: 0 }
  for (const [index, names] of MONTHS.entries())
    for (const name of names)
      if (token.word.startsWith(name) && name.length > best.length)
        best = { month: index + 1, length: name.length }
  return best.month
}

/** Without a year: the next such day. Null for days that no calendar has. */
function toInstant(year: number | null, month: number, date: number, sentAt: number): number | null {
  if (month < 1 || month > 12 || date < 1 || date > 31) return null
  const sentYear = new Date(sentAt).getUTCFullYear()
  const at = Date.UTC(year ?? sentYear, month - 1, date)
  if (new Date(at).getUTCDate() !== date) return null
  return year === null && at < sentAt - 30 * DAY_MS ? Date.UTC(sentYear + 1, month - 1, date) : at
}
