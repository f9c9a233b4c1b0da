import { loadZone, toLocal } from '#lib/domain/calendar/zoned-time'

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const DAYS = new Intl.DateTimeFormat('en-GB', DAY)
const TIMES = new Intl.DateTimeFormat('en-GB', { ...DAY, hour: '2-digit', minute: '2-digit' })

/** The day of an instant by the clock of a zone: “Mon, 2 Mar 2026”. */
export const dayInWords = (timezone: string, at: number): string =>
  DAYS.format(toLocal(loadZone(timezone), at))

/** The instant by the clock of a zone: “Mon, 2 Mar 2026, 11:00 (Europe/Berlin)”. */
export const timeInWords = (timezone: string, at: number): string =>
  `${TIMES.format(toLocal(loadZone(timezone), at))} (${timezone})`
