/**
 * Five-field cron with an optional `TZ=Area/City ` prefix (UTC without one): lists, ranges, steps, names of
 * months and days, `@hourly` and its kin. When both day fields are restricted either may match (Vixie cron).
 * A local time that a clock change skips does not fire; one that it repeats fires twice.
 */
type Cron = {
  zone: string
  minutes: Set<number>
  hours: Set<number>
  days: Set<number>
  months: Set<number>
  weekdays: Set<number>
  eitherDay: boolean
}

const ALIASES: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MINUTE_MS = 60_000
/** Four years and a day, so that 29 February is always found. */
const HORIZON_HOURS = 1462 * 24

function field(source: string, low: number, high: number, names: string[] = []): Set<number> {
  const number = (text: string) => {
    const named = names.indexOf(text.toLowerCase())
    const value = named >= 0 ? named + (low === 1 ? 1 : 0) : /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= low && value <= high)) throw new SyntaxError(`"${text}" is not between ${low} and ${high}`)
    return value
  }
  const values = new Set<number>()
  for (const part of source.split(',')) {
    const [range = '', step = '1', more] = part.split('/')
    if (more !== undefined || !/^[1-9]\d*$/.test(step)) throw new SyntaxError(`bad step in "${part}"`)
    const [from = '', to, extra] = range.split('-')
    if (extra !== undefined) throw new SyntaxError(`bad range in "${part}"`)
    const start = range === '*' ? low : number(from)
    const end = range === '*' ? high : to !== undefined ? number(to) : part.includes('/') ? high : start
    for (let value = start; value <= end; value += Number(step)) values.add(value)
  }
  if (values.size === 0) throw new SyntaxError(`"${source}" matches nothing`)
  return values
}

/** Throws SyntaxError with the reason when `source` is not such a cron or names an unknown zone. */
export function parseCron(source: string): Cron {
  const [, zone = 'UTC', body = ''] = /^(?:TZ=(\S+)\s+)?([\s\S]*)$/.exec(source.trim()) ?? []
  const parts = (ALIASES[body.trim()] ?? body.trim()).split(/\s+/)
  const [minute, hour, day, month, weekday] = parts
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday)
    throw new SyntaxError(`cron "${source}" needs five fields`)
  try {
    clock(zone)
    const weekdays = field(weekday, 0, 7, WEEKDAYS)
    if (weekdays.has(7)) weekdays.add(0)
    return {
      zone,
      minutes: field(minute, 0, 59),
      hours: field(hour, 0, 23),
      days: field(day, 1, 31),
      months: field(month, 1, 12, MONTHS),
      weekdays,
      eitherDay: !day.startsWith('*') && !weekday.startsWith('*'),
    }
  } catch (error) {
    throw new SyntaxError(`cron "${source}": ${error instanceof Error ? error.message : error}`)
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clock(zone: string): Intl.DateTimeFormat {
  let format = clocks.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      weekday: 'short',
    })
    clocks.set(zone, format)
  }
  return format
}

function local(zone: string, at: number) {
  const parts: Record<string, string> = {}
  for (const { type, value } of clock(zone).formatToParts(at)) parts[type] = value
  return {
    minute: Number(parts.minute),
    hour: Number(parts.hour),
    day: Number(parts.day),
    month: Number(parts.month),
    weekday: WEEKDAYS.indexOf((parts.weekday ?? '').toLowerCase()),
  }
}

/** The first match strictly after `after`; null when there is none in four years (31 February). */
export function nextCron(cron: Cron, after: Date): Date | null {
  let at = Math.floor(after.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS
  const horizon = at + HORIZON_HOURS * 60 * MINUTE_MS
  while (at < horizon) {
    const now = local(cron.zone, at)
    const day = cron.days.has(now.day)
    const weekday = cron.weekdays.has(now.weekday)
    const dayMatches = cron.months.has(now.month) && (cron.eitherDay ? day || weekday : day && weekday)
    if (!dayMatches || !cron.hours.has(now.hour)) at += (60 - now.minute) * MINUTE_MS
    else if (!cron.minutes.has(now.minute)) at += MINUTE_MS
    else return new Date(at)
  }
  return null
}
