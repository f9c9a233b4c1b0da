type Style = 'date' | 'weekday' | 'time' | 'short' | 'full'

const STYLES: Record<Style | 'day', Intl.DateTimeFormatOptions> = {
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  time: { hour: '2-digit', minute: '2-digit', hour12: false },
  short: {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  },
  full: { dateStyle: 'full', timeStyle: 'long', hour12: false },
  day: { dateStyle: 'short' },
}

/** Creating a formatter costs a hundred times as much as using it, and long tables use thousands. */
const formats = new Map<string, Intl.DateTimeFormat>()

export function zonedWords(at: string, zone: string, style: keyof typeof STYLES): string {
  const key = `${style} ${zone}`
  const known = formats.get(key)
  const made =
    known ??
    new Intl.DateTimeFormat(style === 'day' ? 'en-CA' : 'en-GB', { ...STYLES[style], timeZone: zone })
  if (!known) formats.set(key, made)
  return made.format(new Date(at))
}

/**
 * An instant in a named zone, the same on every machine; the tooltip adds the reader's zone (see TimeHints).
 */
export function ZonedTime({ at, zone, style = 'short' }: { at: string; zone: string; style?: Style }) {
  return (
    <time
      dateTime={at}
      data-zone={zone}
      title={`${zonedWords(at, zone, 'full')} (${zone})`}
      className="whitespace-nowrap"
    >
      {zonedWords(at, zone, style)}
    </time>
  )
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** The day of an instant in a zone, counted from 1970. */
const toZonedDay = (at: string, zone: string) => Date.parse(zonedWords(at, zone, 'day')) / 86_400_000

/** "Today", "Yesterday", or the date: a heading for one day's entries. */
export function dayWords(at: string, now: string, zone: string): string {
  const days = toZonedDay(now, zone) - toZonedDay(at, zone)
  return days === 0
    ? 'Today'
    : days === 1
      ? 'Yesterday'
      : zonedWords(at, zone, days < 300 ? 'weekday' : 'date')
}

const WEEK = 7 * 86_400

/**
 * "in 12 minutes", relative to `now` (ms); null beyond a week, where the date is clearer. The last minute is
 * "now", since clocks differ, unless the instant is known to be in the future.
 */
export function relativeWords(at: string, now: number, zone: string, isAhead = false): string | null {
  const seconds = Math.round((Date.parse(at) - now) / 1000)
  if (Math.abs(seconds) > WEEK) return null
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  if (unit === 'second') return isAhead && seconds > 0 ? 'in under a minute' : 'now'
  // Days are calendar days: on Saturday noon, Monday morning is not tomorrow.
  const today = new Date(now).toISOString()
  return words.format(
    unit === 'day' ? toZonedDay(at, zone) - toZonedDay(today, zone) : Math.trunc(seconds / size),
    unit,
  )
}
