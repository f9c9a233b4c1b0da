import { type Token, tokenize, yearAt } from '#lib/domain/inbox/absence/months'
import { NEXT_WEEK, WEEK } from '#lib/domain/inbox/absence/return-words'
import { findDays } from '#lib/domain/inbox/absence/said-days'
import {
  AFTER,
  BEFORE_MONTH,
  CHRISTMAS,
  END,
  IN,
  MID,
  MONTHS,
  NEXT,
  NUMBERS,
  ORDINALS,
  SEASONS,
  UNITS,
} from '#lib/domain/inbox/intent/later-words'

const DAY_MS = 86_400_000
/** A day further ahead than this cannot be meant. */
const MAX_DAYS = 731

/**
 * The first day that a text in plain letters names for a new contact, YYYY-MM-DD: a date, a month, a quarter,
 * or a number of weeks from when it was written. A month or quarter means its first day. Null if it names
 * none, or one that cannot be computed ("after Easter").
 */
export function laterDay(plain: string, saidAt: number): string | null {
  const tokens = tokenize(plain)
  const today = Math.floor(saidAt / DAY_MS) * DAY_MS
  const dates = findDays(tokens, plain, { sentAt: saidAt, stale_days: 30 }).filter(
    ({ from }) => !isQuantity(tokens, from),
  )
  const spans = tokens.flatMap((token, index) => {
    const at = spanAt(tokens, index, today)
    return at === null ? [] : [{ from: token.from, at }]
  })
  const [first] = [...dates, ...spans]
    .filter(({ at }) => at > today && at <= today + MAX_DAYS * DAY_MS)
    .sort((a, b) => a.from - b.from)
  return first ? new Date(first.at).toISOString().slice(0, 10) : null
}

/** The first day of the period that begins at a token; null if there is no period. */
function spanAt(tokens: Token[], index: number, today: number): number | null {
  return (
    fromNow(tokens, index, today) ??
    nextUnit(tokens, index, today) ??
    quarter(tokens, index, today) ??
    month(tokens, index, today) ??
    endOfUnit(tokens, index, today) ??
    season(tokens, index, today)
  )
}

const wordAt = (tokens: Token[], index: number) => tokens[index]?.word ?? ''
const unitAt = (tokens: Token[], index: number) =>
  Object.keys(UNITS).find((unit) => UNITS[unit]?.includes(wordAt(tokens, index)))

/** Whether the number there counts something, as in "3 weeks". */
function isQuantity(tokens: Token[], from: number): boolean {
  const index = tokens.findIndex((token) => token.from === from)
  return unitAt(tokens, index + 1) !== undefined && tokens[index]?.number !== null
}

/** "in three months", "in 2 weeks", "3 weeks from now", "in einem halben Jahr" */
function fromNow(tokens: Token[], index: number, today: number): number | null {
  const token = tokens[index]
  if (token?.word === 'half' && wordAt(tokens, index - 1) === 'in' && unitAt(tokens, index + 2) === 'year')
    return addUnits(today, 'month', 6)
  const count = token?.number ?? NUMBERS[token?.word ?? ''] ?? null
  if (count === null || count > 60) return null
  const near = [wordAt(tokens, index + 1), wordAt(tokens, index + 2)]
  const isHalf = /^(half|halben|halbes|demi|medio|mezzo|half|meio|halvt|pol)$/.test(near[0] ?? '')
  const skipped = isHalf || /^(of|paar|more|weitere|autres|de|d|or|bis)$/.test(near[0] ?? '') ? 1 : 0
  const unit = unitAt(tokens, index + 1 + skipped)
  const follows = wordAt(tokens, index + 2 + skipped)
  const isFuture =
    [wordAt(tokens, index - 1), wordAt(tokens, index - 2)].some((word) => IN.includes(word)) ||
    /^(from|time|later|spater|mas|plus)$/.test(follows)
  if (!unit || !isFuture) return null
  return isHalf && unit === 'year' ? addUnits(today, 'month', 6) : addUnits(today, unit, count)
}

function addUnits(today: number, unit: string, count: number): number {
  if (unit === 'day' || unit === 'week') return today + count * (unit === 'week' ? 7 : 1) * DAY_MS
  const months = count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12)
  const day = new Date(today)
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(day.getUTCDate(), last) - 1) * DAY_MS
}

/** "next month", "le trimestre prochain", "in the new year" */
function nextUnit(tokens: Token[], index: number, today: number): number | null {
  const [word, other] = [wordAt(tokens, index), wordAt(tokens, index + 1)]
  const isNext = NEXT.includes(word) || NEXT_WEEK.includes(word)
  const unit = isNext ? unitAt(tokens, index + 1) : NEXT.includes(other) ? unitAt(tokens, index) : undefined
  const day = new Date(today)
  const [year, thisMonth] = [day.getUTCFullYear(), day.getUTCMonth()]
  if (unit === 'week' || (isNext && WEEK.includes(other)))
    return today + ((8 - day.getUTCDay()) % 7 || 7) * DAY_MS
  if (unit === 'month') return Date.UTC(year, thisMonth + 1, 1)
  if (unit === 'quarter') return Date.UTC(year, Math.floor(thisMonth / 3) * 3 + 3, 1)
  if (unit === 'year') return Date.UTC(year + 1, 0, 1)
  return null
}

/** "Q2", "T2", "2. Quartal", "the end of the second quarter" */
function quarter(tokens: Token[], index: number, today: number): number | null {
  const [token, next] = [tokens[index], tokens[index + 1]]
  const isLetter = token && /^[qtk]$/.test(token.word) && next?.from === token.to
  const isNamed = unitAt(tokens, index + 1) === 'quarter'
  const number = isLetter ? next?.number : isNamed ? (token?.number ?? ordinal(token?.word)) : null
  if (number == null || number < 1 || number > 4) return null
  const span = { begins: (number - 1) * 3, months: 3, year: yearAt(tokens, index + 2) }
  return inSpan(span, partSaid(wordsBefore(tokens, index)), today)
}

const ordinal = (word = '') => ORDINALS.findIndex((words) => words.includes(word)) + 1

const wordsBefore = (tokens: Token[], index: number) => [1, 2, 3].map((back) => wordAt(tokens, index - back))

/** Which part of a month, quarter or season is meant. */
type Part = 'begin' | 'mid' | 'end' | 'after'

function partSaid(before: string[]): Part {
  if (before.slice(0, 2).some((word) => AFTER.includes(word))) return 'after'
  if (before.some((word) => END.test(word))) return 'end'
  return before.some((word) => MID.test(word)) ? 'mid' : 'begin'
}

/** Months of a year, counted from 0. Without a year: the current period, or the next one. */
type Span = { begins: number; months: number; year: number | null }

/** Somebody who names a period that has just ended does not mean next year's. */
const JUST_OVER_MS = 60 * DAY_MS

/** Null if that part has already begun: then no day is certain, least of all one a year from now. */
function inSpan({ begins, months, year }: Span, part: Part, today: number): number | null {
  const now = new Date(today).getUTCFullYear()
  const first = year ?? [now - 1, now].find((each) => Date.UTC(each, begins + months, 1) > today) ?? now + 1
  const end = Date.UTC(first, begins + months, 1)
  if (part === 'after') return today - Date.UTC(first - 1, begins + months, 1) < JUST_OVER_MS ? null : end
  if (part === 'end') {
    const at = Date.UTC(first, begins + months - 1, 25)
    return at <= today && today < end ? today + DAY_MS : at
  }
  const middle = months === 1 ? Date.UTC(first, begins, 15) : Date.UTC(first, begins + 1, 15)
  const at = part === 'mid' ? middle : Date.UTC(first, begins, 1)
  return at > today ? at : null
}

/** "in March", "mid March", "after April" */
function month(tokens: Token[], index: number, today: number): number | null {
  const word = wordAt(tokens, index)
  const begins = MONTHS.findIndex((names) => names.includes(word))
  // Next to a number, the month is part of a date.
  const isDate = [tokens[index - 1], tokens[index + 1]].some(
    (near) => near?.number != null && near.number <= 31,
  )
  if (begins < 0 || isDate) return null
  const before = wordsBefore(tokens, index).slice(0, 2)
  const [nearest = ''] = before
  if (!AFTER.includes(nearest) && !BEFORE_MONTH.includes(nearest)) return null
  const part = partSaid(AFTER.includes(nearest) ? before : before.filter((each) => !AFTER.includes(each)))
  return inSpan({ begins, months: 1, year: yearAt(tokens, index + 1) }, part, today)
}

/** "at the end of the month": of the current one. */
function endOfUnit(tokens: Token[], index: number, today: number): number | null {
  const unit = unitAt(tokens, index)
  if (!wordsBefore(tokens, index).some((word) => END.test(word))) return null
  const thisMonth = new Date(today).getUTCMonth()
  if (unit === 'month') return inSpan({ begins: thisMonth, months: 1, year: null }, 'end', today)
  const begins = Math.floor(thisMonth / 3) * 3
  if (unit === 'quarter') return inSpan({ begins, months: 3, year: null }, 'end', today)
  return unit === 'year' ? inSpan({ begins: 11, months: 1, year: null }, 'begin', today) : null
}

/** "in spring", "after the summer", "after Christmas" */
function season(tokens: Token[], index: number, today: number): number | null {
  const word = wordAt(tokens, index)
  const before = wordsBefore(tokens, index)
  const isAfter = before.some((each) => AFTER.includes(each))
  if (CHRISTMAS.includes(word)) {
    const isNear =
      new Date(today).getUTCMonth() >= 9 || !/^(holidays|feiertagen|fetes|feestdagen)$/.test(word)
    return isAfter && isNear ? nextYear(today) + DAY_MS : null
  }
  const named = SEASONS.findIndex((names) => names.includes(word))
  const isTold = isAfter || before.some((each) => BEFORE_MONTH.includes(each) || IN.includes(each))
  if (named < 0 || !isTold) return null
  const span = { begins: named * 3 + 2, months: 3, year: yearAt(tokens, index + 1) }
  return inSpan(span, isAfter ? 'after' : partSaid(before), today)
}

const nextYear = (today: number) => Date.UTC(new Date(today).getUTCFullYear() + 1, 0, 1)
