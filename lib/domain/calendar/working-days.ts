import {
  DAY_MS,
  formatDay,
  loadZone,
  moveDays,
  parseDay,
  toDay,
  toInstant,
  toWeekday,
} from '#lib/domain/calendar/zoned-time'

const MORNING_MS = 9 * 3_600_000
/** How long an absence without a return date is assumed to last. */
const UNSAID_DAYS = 7

/** 09:00 of the first working day after a local date ("2026-11-29"), in a zone. */
export function morningAfter(date: string, timezone: string): number {
  let day = parseDay(date) + 1
  while (toWeekday(day) > 4) day++
  return toInstant(loadZone(timezone), day * DAY_MS + MORNING_MS, 'first')
}

/** Until when an absent person gets no messages: `last_day` is the last day away, null if none was given. */
export function absentUntil(last_day: string | null, said_at: number, timezone: string): number {
  if (last_day !== null) return morningAfter(last_day, timezone)
  const zone = loadZone(timezone)
  const day = toDay(zone, moveDays(zone, said_at, UNSAID_DAYS))
  return morningAfter(formatDay(day - 1), timezone)
}

/** The choices for holding people: mornings of working days, as instants in ISO 8601. */
export function holdChoices(timezone: string, now: Date): { label: string; until: string }[] {
  const today = toDay(loadZone(timezone), now.getTime())
  const choices: [string, number][] = [
    ['Tomorrow', 1],
    ['Next week', 7 - toWeekday(today)],
    ['In two weeks', 14],
    ['In a month', 30],
    ['In three months', 91],
  ]
  return choices.map(([label, days]) => {
    const until = morningAfter(formatDay(today + days - 1), timezone)
    return { label, until: new Date(until).toISOString() }
  })
}
