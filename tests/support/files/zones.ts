import { Temporal } from 'temporal-polyfill/implementation'

/** The stretch that the schedule's properties walk: every zone, 2020 to 2035. */
export const FROM = Date.UTC(2020, 0, 1)
export const UNTIL = Date.UTC(2036, 0, 1)
export const ALL_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** Those whose clocks do something unusual in that stretch: for properties that are costly per zone. */
export const NASTY_ZONES = [
  'UTC',
  'America/New_York',
  'America/Havana',
  'America/Asuncion',
  'America/Santiago',
  'America/Nuuk',
  'America/St_Johns',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Juba',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Europe/Chisinau',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Easter',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

const found = new Map<string, number[]>()

/** Every change of a zone's offset in that stretch, by Temporal's own search. */
export function transitionsOf(timezone: string): number[] {
  const known = found.get(timezone)
  if (known) return known
  const transitions: number[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(timezone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds >= UNTIL) break
    transitions.push(next.epochMilliseconds)
    at = next
  }
  found.set(timezone, transitions)
  return transitions
}
