import { Temporal } from 'temporal-polyfill/implementation'

/**
 * Local time as plain numbers, for loops that convert by the million.
 *
 * instant   epoch milliseconds
 * local     what a wall clock shows, as the epoch milliseconds at which UTC would show the same
 * day       a local date as days since 1970-01-01
 *
 * The truth is Temporal. A zone is a row of segments of constant offset; a segment is asked of Temporal when an instant
 * first falls into it and remembered, so everything after that is arithmetic.
 */

export const SECOND_MS = 1_000
export const DAY_MS = 86_400_000
/** Further than any offset (−12 to +14 h) plus any transition (24 h, when Samoa skipped a day). */
const REACH_MS = 2 * DAY_MS

export interface Zone {
  readonly timezone: string
  /** In order of time, disjoint, not always adjacent. */
  readonly segments: Segment[]
  /** The segment of the last question: questions come in clusters. */
  last: Segment
}

/** The half-open range [from, until) of instants with one offset. */
interface Segment {
  readonly from: number
  readonly until: number
  readonly offset: number
}

const zones = new Map<string, Zone>()

/** Known to ICU but not to IANA, so Postgres has no such zones. */
const OF_ICU = ['systemv/', 'us/pacific-new', 'canada/east-saskatchewan']

/**
 * True for an IANA zone or link that this runtime knows. Bare offsets such as "+02:00" are refused, as are ICU's short names
 * such as "BST", which Temporal does not accept.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  if (OF_ICU.some((other) => name.toLowerCase().startsWith(other))) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The cached zone of a name that `isTimeZone` accepts; it is shared and grows. */
export function loadZone(timezone: string): Zone {
  const known = zones.get(timezone)
  if (known) return known
  const first = askTemporal(timezone, 0)
  const zone = { timezone, segments: [first], last: first }
  zones.set(timezone, zone)
  return zone
}

export function toLocal(zone: Zone, at: number): number {
  return at + segmentAt(zone, at).offset
}

/** The local date on which an instant falls. */
export function toDay(zone: Zone, at: number): number {
  return Math.floor(toLocal(zone, at) / DAY_MS)
}

/**
 * The instant of a local time. If it does not exist, the first instant after the gap; if it occurs twice, the first or second
 * occurrence, as asked.
 */
export function toInstant(zone: Zone, local: number, which: 'first' | 'second'): number {
  const near = zone.last
  const guess = local - near.offset
  if (guess - REACH_MS >= near.from && guess + REACH_MS < near.until) return guess

  let latest = Number.NaN
  let segment = segmentAt(zone, local - REACH_MS)
  while (segment.from <= local + REACH_MS) {
    const at = local - segment.offset
    if (at < segment.from && Number.isNaN(latest)) return segment.from
    if (at >= segment.from && at < segment.until) {
      if (which === 'first') return at
      latest = at
    }
    if (segment.until === Number.POSITIVE_INFINITY) break
    segment = segmentAt(zone, segment.until)
  }
  return latest
}

/** The first instant of a local date; for a date that was skipped, the first instant after it. */
export function startOfDay(zone: Zone, day: number): number {
  return toInstant(zone, day * DAY_MS, 'first')
}

/** The instant `days` local calendar days later at the same wall-clock time. Zero days returns the same instant, also in an overlap. */
export function moveDays(zone: Zone, at: number, days: number): number {
  return days === 0 ? at : toInstant(zone, toLocal(zone, at) + days * DAY_MS, 'first')
}

/** Monday is 0. */
export function toWeekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7
}

/** "2026-03-29" */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().split('T')[0] ?? ''
}

export function parseDay(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS)
}

function segmentAt(zone: Zone, at: number): Segment {
  const last = zone.last
  if (at >= last.from && at < last.until) return last

  const { segments } = zone
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((segments[middle]?.until ?? 0) > at) high = middle
    else low = middle + 1
  }
  let segment = segments[low]
  if (!segment || segment.from > at) {
    segment = askTemporal(zone.timezone, at)
    segments.splice(low, 0, segment)
  }
  zone.last = segment
  return segment
}

function askTemporal(timezone: string, at: number): Segment {
  // "previous" is strictly before, hence one millisecond later: an instant that is a transition begins its own segment.
  const after = Temporal.Instant.fromEpochMilliseconds(at + 1).toZonedDateTimeISO(timezone)
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
  return {
    from: after.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: zoned.offsetNanoseconds / 1_000_000,
  }
}
