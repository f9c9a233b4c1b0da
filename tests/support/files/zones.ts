import { Temporal } from 'temporal-polyfill/implementation'

/** The span that the schedule's property tests cover: every zone, 2020 to 2035. */
export const FROM = Date.UTC(2020, 0, 1)
export const UNTIL = Date.UTC(2036, 0, 1)
export const ALL_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** Zones whose clocks do something unusual in that span: for properties that are expensive per zone. */
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

/** Every change of a zone's offset in that span, found by Temporal. */
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
