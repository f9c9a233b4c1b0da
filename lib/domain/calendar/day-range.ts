import { loadZone, parseDay, startOfDay } from '#lib/domain/calendar/zoned-time'

export type Days = { from_day?: string | undefined; until_day?: string | undefined }

/** The instants from the start of one date to the end of another, in the zone. */
export function toDayRange({ from_day, until_day }: Days, timezone: string): { from?: string; to?: string } {
  const zone = loadZone(timezone)
  const begin = (date: string, later: number) =>
    new Date(startOfDay(zone, parseDay(date) + later)).toISOString()
  return { ...(from_day && { from: begin(from_day, 0) }), ...(until_day && { to: begin(until_day, 1) }) }
}
