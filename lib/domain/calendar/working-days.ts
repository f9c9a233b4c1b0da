import {
  DAY_MS,
  loadZone,
  moveDays,
  parseDay,
  toDay,
  toInstant,
  toWeekday,
} from '#lib/domain/calendar/zoned-time'

const MORNING_MS = 9 * 3_600_000
/** For how long an absence without a day of return is believed. */
const UNSAID_DAYS = 7

/** 09:00 of the first working day after a local date ("2026-11-29"), in a zone. */
export function morningAfter(date: string, timezone: string): number {
  let day = parseDay(date) + 1
  while (toWeekday(day) > 4) day++
  return toInstant(loadZone(timezone), day * DAY_MS + MORNING_MS, 'first')
}

/** Until when a person who says to be away gets nothing: `last_day` is the last day away, null where none was said. */
export function absentUntil(last_day: string | null, said_at: number, timezone: string): number {
  if (last_day !== null) return morningAfter(last_day, timezone)
  const zone = loadZone(timezone)
  const day = toDay(zone, moveDays(zone, said_at, UNSAID_DAYS))
  return morningAfter(new Date((day - 1) * DAY_MS).toISOString().slice(0, 10), timezone)
}
