import { type FoundDay, monthAfter, type Reader, type Token } from '#lib/domain/inbox/absence/months'
import { HOURS, NEXT_WEEK, TODAY, TOMORROW, WEEK, WEEKDAYS } from '#lib/domain/inbox/absence/return-words'

const DAY_MS = 86_400_000

/** "today", "Monday", "tomorrow", "next week" */
export function relativeDay(reader: Reader, token: Token): FoundDay[] {
  const { tokens, index, sentAt, text } = reader
  const today = Math.floor(sentAt / DAY_MS) * DAY_MS
  const weekday = weekdayIndex(token)
  const [next, after] = [tokens[index + 1], tokens[index + 2]]
  if (weekday >= 0) {
    // If a date also names its weekday, the date counts.
    const isInstant = (at: number) =>
      text[tokens[at]?.to ?? 0] === ':' || HOURS.includes(tokens[at + 1]?.word ?? '')
    if (next?.number != null && !isInstant(index + 1)) return numberedWeekday(reader, weekday, index + 1)
    const isBefore = /^(the|am|den|dem|le|el|il|op|de|\p{L}{3,10})$/u.test(next?.word ?? '')
    if (after?.number != null && isBefore && !isInstant(index + 2))
      return /^(the|den|dem|le|el|il|de)$/.test(next?.word ?? '')
        ? numberedWeekday(reader, weekday, index + 2)
        : []
    const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7 || 7
    const isOfNextWeek = [index - 2, index + 1, index + 2].some((at) => isNextWeek(tokens, at))
    const sunday = today + ((7 - new Date(today).getUTCDay()) % 7) * DAY_MS
    const at = isOfNextWeek ? sunday + (weekday || 7) * DAY_MS : today + ahead * DAY_MS
    return [{ from: token.from, to: token.to, at }]
  }
  if (TODAY.includes(token.word)) return [{ from: token.from, to: token.to, at: today }]
  if (TOMORROW.includes(token.word) && tokens[index - 1]?.word !== 'am')
    return [{ from: token.from, to: token.to, at: today + DAY_MS }]
  if (!isNextWeek(tokens, index)) return []
  const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7
  // A week stands for its first day, Monday, on which the person is back or away.
  return [{ from: token.from, to: next?.to ?? token.to, at: today + toMonday * DAY_MS }]
}

function isNextWeek(tokens: Token[], index: number): boolean {
  const [word = '', other = ''] = [tokens[index]?.word, tokens[index + 1]?.word]
  return (
    (NEXT_WEEK.includes(word) && WEEK.includes(other)) || (WEEK.includes(word) && NEXT_WEEK.includes(other))
  )
}

/** "Monday 30", "lunedì 30": the next such day of a month that falls on this weekday. */
function numberedWeekday({ tokens, sentAt }: Reader, weekday: number, index: number): FoundDay[] {
  const token = tokens[index]
  const named = tokens[index] && monthAfter({ tokens, index, text: '' })
  if (token?.number == null || token.number > 31 || named) return []
  const sent = new Date(sentAt)
  for (let ahead = 0; ahead < 3; ahead++) {
    const at: number = Date.UTC(sent.getUTCFullYear(), sent.getUTCMonth() + ahead, token.number)
    const day = new Date(at)
    if (day.getUTCDate() === token.number && day.getUTCDay() === weekday && at >= sentAt - DAY_MS)
      return [{ from: token.from, to: token.to, at }]
  }
  return []
}

export function weekdayIndex({ word }: Token): number {
  return WEEKDAYS.findIndex((names) => names.includes(word))
}
