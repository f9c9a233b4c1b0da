import { getAllTimezones } from 'countries-and-timezones'
import { isTimeZone } from '#lib/domain/calendar/zoned-time'

/** The zone meant by a name that several zones share. The names in words come with the runtime (CLDR). */
const SPOKEN_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Halifax',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'Africa/Johannesburg',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Asia/Seoul',
  'Australia/Sydney',
  'Australia/Adelaide',
  'Australia/Perth',
  'Pacific/Auckland',
]

const SHORT: Record<string, string> = {
  et: 'America/New_York',
  edt: 'America/New_York',
  est: 'America/New_York',
  ct: 'America/Chicago',
  cdt: 'America/Chicago',
  mt: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  akst: 'America/Anchorage',
  akdt: 'America/Anchorage',
  cest: 'Europe/Berlin',
  mez: 'Europe/Berlin',
  mesz: 'Europe/Berlin',
  eest: 'Europe/Athens',
  msk: 'Europe/Moscow',
  sast: 'Africa/Johannesburg',
  sgt: 'Asia/Singapore',
  hst: 'Pacific/Honolulu',
  hkt: 'Asia/Hong_Kong',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  aest: 'Australia/Sydney',
  aedt: 'Australia/Sydney',
  awst: 'Australia/Perth',
  nzst: 'Pacific/Auckland',
  nzdt: 'Pacific/Auckland',
}

/** Abbreviations that mean different zones in different countries: without the country they say nothing. */
const SHARED: Record<string, Record<string, string>> = {
  cst: { US: 'America/Chicago', CA: 'America/Winnipeg', MX: 'America/Mexico_City', CN: 'Asia/Shanghai' },
  est: { AU: 'Australia/Sydney' },
  ist: { IN: 'Asia/Kolkata', IE: 'Europe/Dublin', IL: 'Asia/Jerusalem' },
  bst: { GB: 'Europe/London', BD: 'Asia/Dhaka' },
  gmt: { GB: 'Europe/London', IE: 'Europe/Dublin' },
  ast: { CA: 'America/Halifax', SA: 'Asia/Riyadh' },
}

/**
 * IANA keeps these as bare offsets, where nobody lives. In a list, EST means a zone with summer time, MST one of two zones, and
 * UTC mostly that the program which wrote the list knew nothing better.
 */
const BARE_OFFSETS = new Set(
  'est mst hst gmt gmt+0 gmt-0 gmt0 greenwich uct utc universal zulu factory'.split(' '),
)

let byName: ReadonlyMap<string, string> | undefined

/**
 * The IANA zone for a cell of a time zone column: an IANA name in any case, its city alone, a name in words ("Eastern Time (US &
 * Canada)") or an abbreviation ("CET"). An offset is refused: it does not tell when summer time begins. `country` (ISO) decides
 * between zones with the same abbreviation.
 */
export function readZoneName(text: string, country: string | null): string | null {
  const name = plain(text)
  const shared = Object.hasOwn(SHARED, name) ? SHARED[name] : undefined
  if (shared && country && Object.hasOwn(shared, country)) return shared[country] ?? null
  if (Object.hasOwn(SHORT, name)) return SHORT[name] ?? null
  byName ??= names()
  return byName.get(name) ?? null
}

/** Without text in brackets, before or after the name. */
function plain(text: string): string {
  const kept = text.normalize('NFC').slice(0, 200).toLowerCase()
  const open = kept.indexOf('(')
  const close = kept.indexOf(')')
  const bare = open >= 0 && close > open ? `${kept.slice(0, open)} ${kept.slice(close + 1)}` : kept
  return bare.replace(/[\s_]+/g, ' ').trim()
}

function names(): ReadonlyMap<string, string> {
  const zoneByName = new Map<string, string>()
  const zones = Object.keys(getAllTimezones({ deprecated: true })).filter(
    (zone) => isTimeZone(zone) && !zone.startsWith('Etc/') && !BARE_OFFSETS.has(zone.toLowerCase()),
  )
  const cities = Map.groupBy(
    zones.filter((zone) => zone.includes('/') && !/^(US|Canada|Brazil|Mexico|Chile)\//.test(zone)),
    (zone) => plain(zone.split('/').at(-1) ?? ''),
  )
  for (const [city, named] of cities) if (named[0] && named.length === 1) zoneByName.set(city, named[0])
  for (const zone of SPOKEN_ZONES) for (const name of spokenNames(zone)) zoneByName.set(plain(name), zone)
  for (const zone of zones) zoneByName.set(plain(zone), zone)
  return zoneByName
}

/** The names in winter, in summer, and for both. */
function spokenNames(timeZone: string): string[] {
  return (['long', 'longGeneric'] as const).flatMap((timeZoneName) =>
    [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)].flatMap((at) =>
      new Intl.DateTimeFormat('en', { timeZone, timeZoneName })
        .formatToParts(at)
        .filter(({ type }) => type === 'timeZoneName')
        .map(({ value }) => value),
    ),
  )
}
