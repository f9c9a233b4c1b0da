import { type Token, yearAt } from '#lib/domain/inbox/absence/months'
import { NEXT_WEEK, TO, UNTIL, UNTIL_WHOLE } from '#lib/domain/inbox/absence/return-words'
import { BEFORE_MONTH, END, MID, MONTHS, NUMBERS, UNITS } from '#lib/domain/inbox/intent/later-words'

const DAY_MS = 86_400_000

/** A period of several days: which day ends an absence "until" it, and which one starts a return "in" it. */
export type Span = {
  from: number
  to: number
  dayBy: (cue: 'until' | 'back' | 'away') => number | null
}

/**
 * Every month, week or number of weeks that a text names: "until the end of March", "this week", "for two
 * weeks".
 */
export function findSpans(tokens: Token[], text: string, sentAt: number): Span[] {
  const today = Math.floor(sentAt / DAY_MS) * DAY_MS
  return tokens.flatMap((_, index) => {
    const reader = { tokens, text, index, today }
    const span =
      numberOfUnits(reader) ??
      numberedWeek(reader) ??
      thisOrNext(reader) ??
      endOfUnit(reader) ??
      monthAlone(reader)
    return span ? [span] : []
  })
}

type Reader = { tokens: Token[]; text: string; index: number; today: number }

const wordAt = ({ tokens, index }: Reader, ahead = 0) => tokens[index + ahead]?.word ?? ''
const unitNamed = (word: string) => Object.keys(UNITS).find((unit) => UNITS[unit]?.includes(word))
const VAGUE = /^(voraussichtlich|ungefahr|ca|circa|approximately|about|around|environ|aproximadamente)$/
const wordsBefore = (reader: Reader) =>
  [1, 2, 3, 4]
    .map((back) => wordAt(reader, -back))
    .filter((word) => !VAGUE.test(word))
    .slice(0, 3)
/** The text range from `back` tokens before to `ahead` tokens after the current one. */
const over = ({ tokens, index }: Reader, ahead: number, back = 0) => ({
  from: tokens[index - back]?.from ?? 0,
  to: tokens[index + ahead]?.to ?? 0,
})

/** A promise to answer within some days does not mean an absence of that length. */
const ANSWERS =
  /\b(repl(y|ies)|respon|answer|get back to|getting back to|antwort|melde|repond|contest|rispond|beantwoord|svar|odpow)|\b(to you|vers vous|auf sie)\b/

/** "in two weeks", "for the next 3 days" */
function numberOfUnits(reader: Reader): Span | null {
  const { tokens, index, text, today } = reader
  const count = tokens[index]?.number ?? NUMBERS[wordAt(reader)] ?? null
  const unit = unitNamed(wordAt(reader, 1))
  // "2-3 weeks" gives no exact day.
  const isRange = /\d\s?[-–]\s?$/.test(text.slice(0, tokens[index]?.from).slice(-4))
  const near =
    text
      .slice(0, tokens[index]?.from)
      .slice(-60)
      .split(/[.!?]\s|\n/)
      .at(-1) ?? ''
  if (count === null || count < 1 || count > 60 || !unit || isRange || ANSWERS.test(near)) return null
  const end = addUnits(today, unit, count)
  const isFromNow = /^(in|dans|en|tra|fra|over|om|za|через)$/.test(wordAt(reader, -1))
  return {
    ...over(reader, 1),
    dayBy: (cue) => (cue === 'back' ? (isFromNow ? end : null) : cue === 'away' ? end - DAY_MS : null),
  }
}

function addUnits(today: number, unit: string, count: number): number {
  if (unit === 'day' || unit === 'week') return today + count * (unit === 'week' ? 7 : 1) * DAY_MS
  const day = new Date(today)
  const months = count * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12)
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months + 1, 0)).getUTCDate()
  return first + (Math.min(day.getUTCDate(), last) - 1) * DAY_MS
}

const weekEnd = (day: number) => day + ((7 - new Date(day).getUTCDay()) % 7) * DAY_MS

const WEEK_SIGN = /^(kw|week|uge|uke|vecka|v|s|vko|viikko|tydzien|semaine|semana|settimana)$/

/** "KW 48", "uge 48": ISO 8601 week numbers. */
function numberedWeek(reader: Reader): Span | null {
  const { tokens, index, text, today } = reader
  const token = tokens[index]
  const number = tokens[index]?.number
  const between = text.slice(tokens[index - 1]?.to, token?.from)
  const [before, second] = [wordAt(reader, -1), wordAt(reader, -2)]
  const isAlone = WEEK_SIGN.test(before) && /^\.? ?$/.test(between)
  // The second number of "KW 48 und 49".
  const isSecond =
    /^\d+$/.test(second) &&
    WEEK_SIGN.test(wordAt(reader, -3)) &&
    /^(und|and|et|og|och|en|bis|to|i|y|e)$/.test(before)
  const isPair = WEEK_SIGN.test(second) && /^\d+$/.test(before) && /^\s?[-–+&/]\s?$/.test(between)
  if (number == null || number < 1 || number > 53 || !(isAlone || isSecond || isPair)) return null
  // A number followed by something else counts that, or is a date.
  if (/^[./:-]\d/.test(text.slice(token?.to))) return null
  const year = new Date(today).getUTCFullYear()
  const monday = [year, year + 1]
    .map((each) => firstMonday(each) + (number - 1) * 7 * DAY_MS)
    .find((at) => at + 6 * DAY_MS >= today)
  if (monday === undefined) return null
  return { ...over(reader, 0, 1), dayBy: (cue) => (cue === 'back' ? monday : monday + 6 * DAY_MS) }
}

/** The Monday of the week of 4 January. */
function firstMonday(year: number): number {
  const fourth = Date.UTC(year, 0, 4)
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS
}

const THIS =
  /^(this|all|whole|entire|diese|dieser|ganze|ganzen|cette|toute|esta|toda|questa|tutta|deze|hele|denna|hela|denne|caly|tym)$/

/** "this week", "all next week", "until the end of next week" */
function thisOrNext(reader: Reader): Span | null {
  const { today } = reader
  const [word, next, third] = [wordAt(reader), wordAt(reader, 1), wordAt(reader, 2)]
  const skips = /^(la|the|de|week)$/.test(next) && unitNamed(third) ? 1 : 0
  if (unitNamed(skips ? third : next) !== 'week') return null
  const isNext = NEXT_WEEK.includes(word)
  if (!isNext && !THIS.test(word)) return null
  const sunday = weekEnd(today) + (isNext ? 7 * DAY_MS : 0)
  const isEnd = wordsBefore(reader).some((each) => END.test(each))
  return {
    ...over(reader, 1 + skips),
    dayBy: (cue) => (cue === 'away' || (isEnd && cue === 'until') ? sunday : null),
  }
}

/** "the end of the week", "the rest of the month", "the new year" */
function endOfUnit(reader: Reader): Span | null {
  const { tokens, index, today } = reader
  const unit = unitNamed(wordAt(reader))
  const before = wordsBefore(reader)
  const day = new Date(today)
  const isNew = /^(new|neue|neuen|neues|nouvel|nouvelle|nuevo|nuovo|novo|nieuwe|nytt|nye)$/.test(
    before[0] ?? '',
  )
  if (unit === 'year' && isNew && before[1] !== 'happy') {
    const first = Date.UTC(day.getUTCFullYear() + 1, 0, 1)
    return {
      ...over(reader, 0, 1),
      dayBy: (cue) => (cue === 'back' ? first : cue === 'until' ? first - DAY_MS : null),
    }
  }
  const back =
    before.findIndex((each) => END.test(each) || /^(rest|remainder|restliche|reste|resto)$/.test(each)) + 1
  if (
    back === 0 ||
    !unit ||
    before.slice(0, back).some((each) => NEXT_WEEK.includes(each) || MONTHS.flat().includes(each))
  )
    return null
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
  const last =
    unit === 'week'
      ? weekEnd(today)
      : unit === 'month'
        ? Date.UTC(year, month + 1, 0)
        : unit === 'year'
          ? Date.UTC(year, 11, 31)
          : unit === 'quarter'
            ? Date.UTC(year, Math.floor(month / 3) * 3 + 3, 0)
            : null
  if (last === null || !tokens[index]) return null
  return { ...over(reader, 0, back), dayBy: () => last }
}

const INCLUSIVE =
  /^(through|thru|einschl|einschliesslich|einschlieslich|inkl|inklusive|inclus|inclusive|inclusief|tm|med)$/

/** "until June 2027", "back in January", "bis Ende Februar" */
function monthAlone(reader: Reader): Span | null {
  const { tokens, index, today } = reader
  const month = MONTHS.findIndex((names) => names.includes(wordAt(reader)))
  const [previous, next] = [tokens[index - 1], tokens[index + 1]]
  const isDate = [previous, next].some((near) => near?.number != null && near.number <= 31)
  const before = wordsBefore(reader)
  const isTold = [BEFORE_MONTH, TO, UNTIL, UNTIL_WHOLE].some((words) => words.includes(before[0] ?? ''))
  if (month < 0 || isDate || !isTold || !previous) return null
  const said = yearAt(tokens, index + 1)
  const now = new Date(today)
  const year = said ?? now.getUTCFullYear() + (month < now.getUTCMonth() ? 1 : 0)
  const [first, last] = [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 0)]
  const near = before.slice(0, 2)
  const isEnd = near.some((word) => END.test(word))
  const isMid = near.some((word) => MID.test(word))
  const middle = Date.UTC(year, month, 15)
  const isWhole = isEnd || near.some((word) => INCLUSIVE.test(word))
  const back = isEnd ? last : isMid ? middle : first
  // If words such as "end of" stand before it, they are part of the period.
  const parts = isEnd || isMid ? near.findIndex((word) => END.test(word) || MID.test(word)) + 1 : 0
  return {
    ...over(reader, said === null ? 0 : 1, parts),
    dayBy: (cue) => {
      if (cue === 'back') return back
      if (isMid) return middle
      return isWhole || cue === 'away' ? last : first - DAY_MS
    },
  }
}
