import { getCountry } from 'countries-and-timezones'
import { countryCode } from '#lib/domain/enrichment/country'
import type { Certainty } from '#lib/domain/enrichment/proposal'
import { type FoundZone, findTimezone } from '#lib/domain/enrichment/time-zone'
import { findDomain } from '#lib/domain/enrichment/web-domain'
import { readZoneName } from '#lib/domain/enrichment/zone-name'

/** What a list says of where somebody is. */
export type ZoneEvidence = {
  timezone?: string | undefined
  country?: string | undefined
  city?: string | undefined
  state?: string | undefined
  phone?: string | undefined
  website?: string | undefined
  email?: string | undefined
}

/** Columns that a zone can be read from. */
export const ZONE_SOURCES = ['timezone', 'city', 'country', 'phone', 'website', 'email'] as const
export type ZoneSource = (typeof ZONE_SOURCES)[number]

/** `source` is the column that the zone was read from. */
export type EvidentZone =
  | {
      kind: 'found'
      timezone: string
      source: ZoneSource
      certainty: Certainty
    }
  | Extract<FoundZone, { kind: 'none' }>

/**
 * The time zone of somebody by all that a list says, the surest first: its own column of zones; place and country; the country
 * of the telephone number; the country at the end of the company's domain. The weaker is asked only where the surer says nothing at
 * all, so a domain never overrules a country, not even one of several zones.
 */
export function weighZone(lead: ZoneEvidence): EvidentZone {
  const { timezone = '', country = '', city, state, website, email } = lead
  const named = readZoneName(timezone, countryCode(country))
  if (named) return { kind: 'found', timezone: named, source: 'timezone', certainty: 'certain' }
  const byPlace = findTimezone(lead)
  if (byPlace.kind === 'found' || byPlace.reason !== 'no_place') return byPlace
  const site = findDomain({ website, email })
  const code = site ? countryOfDomain(site.domain) : null
  if (!site || !code) return byPlace
  const byDomain = findTimezone({ country: code, city, state })
  return byDomain.kind === 'none' ? byDomain : { ...byDomain, source: site.source, certainty: 'likely' }
}

/** Endings of countries that are sold to everybody for how they read. */
const SOLD_ENDINGS = new Set(
  'ac ag ai am as bz cc cd cx dj fm gd gg gl gs im io je la lc li ly me mn ms mu nu pw sc sh so st tk tl to tv vc vg vu ws cm co'.split(
    ' ',
  ),
)

/** ISO 3166-1 alpha-2 of the country under which a domain is registered. */
export function countryOfDomain(domain: string): string | null {
  const ending = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'uk') return 'GB'
  if (!/^[a-z]{2}$/.test(ending) || SOLD_ENDINGS.has(ending)) return null
  return getCountry(ending.toUpperCase())?.id ?? null
}
