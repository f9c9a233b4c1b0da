import { getCountry, getTimezone } from 'countries-and-timezones'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { countryCode } from '#lib/domain/enrichment/country'
import type { Certainty } from '#lib/domain/enrichment/proposal'
import { CITY_ZONE, MAIN_ZONE, STATE_ZONE } from '#lib/domain/enrichment/zone-places'

export type FoundZone =
  | { kind: 'found'; timezone: string; source: 'country' | 'city' | 'phone'; certainty: Certainty }
  | { kind: 'none'; reason: 'no_place' | 'country_unknown' | 'several_zones' }

type Place = {
  country?: string | undefined
  city?: string | undefined
  state?: string | undefined
  phone?: string | undefined
}

/**
 * The time zone of a lead: by its country, otherwise by the country in its city cell, otherwise by the country of its phone
 * number, which moves with people and so is only likely. A country with several zones needs a city or a state that lies in one
 * of them; otherwise there is no answer.
 */
export function findTimezone({ country, city, state, phone }: Place): FoundZone {
  if (!country?.trim()) {
    const within = countryInCity(city)
    const zone = within === null ? null : findTimezone({ country: within, city, state })
    if (zone) return zone.kind === 'found' ? { ...zone, source: 'city' } : zone
  }
  const named = country?.trim() ? countryCode(country) : null
  const code = named ?? (country?.trim() ? null : countryOfPhone(phone))
  if (!code) return { kind: 'none', reason: country?.trim() ? 'country_unknown' : 'no_place' }
  const byPlace = zoneOfPlace(code, city, state)
  if (byPlace)
    return { kind: 'found', timezone: byPlace, source: 'city', certainty: named ? 'certain' : 'likely' }
  const only = onlyZone(code)
  const source = named ? 'country' : 'phone'
  if (only) return { kind: 'found', timezone: only, source, certainty: named ? 'certain' : 'likely' }
  const main = MAIN_ZONE[code]
  if (main) return { kind: 'found', timezone: main, source, certainty: 'likely' }
  return { kind: 'none', reason: 'several_zones' }
}

/** "Berlin, Germany". Two letters may be a state too, as in "Wilmington, DE", and so may Georgia. */
function countryInCity(city = ''): string | null {
  const parts = city.split(',')
  const last = (parts.at(-1) ?? '').trim()
  if (parts.length < 2 || (last.length < 3 && plain(last) !== 'uk') || plain(last) === 'georgia') return null
  return countryCode(last)
}

/** The country of a number with a country code; codes shared by several countries give none. */
export function countryOfPhone(phone: string | undefined): string | null {
  if (!phone) return null
  const text = phone.trim().replace(/^00/, '+')
  if (!text.startsWith('+')) return null
  const parsed = parsePhoneNumberFromString(text)
  return parsed?.isPossible() ? (parsed.country ?? null) : null
}

/** A country's zone, if all of its zones keep the same time all year. */
function onlyZone(code: string): string | null {
  const zones = (getCountry(code)?.timezones ?? []).flatMap((name) => getTimezone(name) ?? [])
  const [first] = zones
  const isOne = zones.every(
    (zone) => zone.utcOffset === first?.utcOffset && zone.dstOffset === first.dstOffset,
  )
  if (!isOne || !first) return null
  return zones.find((zone) => zone.countries[0] === code)?.name ?? linkOfCountry(code) ?? first.name
}

/** IANA merged zones that agree since 1970: Stockholm is now a link to Berlin. People in Sweden expect to read Stockholm. */
function linkOfCountry(code: string): string | null {
  const links = (getCountry(code, { deprecated: true })?.timezones ?? []).flatMap(
    (name) => getTimezone(name) ?? [],
  )
  const own = links.find(
    ({ name, countries, aliasOf }) => aliasOf && name.includes('/') && countries[0] === code,
  )
  return own?.name ?? null
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

function zoneOfPlace(code: string, city: string | undefined, state: string | undefined): string | null {
  const [place = '', ...rest] = (city ?? '').split(',').map(plain)
  const states = STATE_ZONE[code] ?? {}
  const named = [state ? plain(state) : '', ...rest].filter(Boolean)
  for (const name of named) {
    const zone = Object.hasOwn(states, name) ? states[name] : undefined
    if (zone) return zone
  }
  return place === '' ? null : cityZone(code, place)
}

function cityZone(code: string, place: string): string | null {
  const cities = CITY_ZONE[code] ?? {}
  if (Object.hasOwn(cities, place)) return cities[place] ?? null
  const named = (getCountry(code)?.timezones ?? []).find(
    (zone) => plain(zone.split('/').at(-1)?.replaceAll('_', ' ') ?? '') === place,
  )
  return named ?? null
}
