import { getCountry } from 'countries-and-timezones'
import { countryCode } from '#lib/domain/enrichment/country'
import type { Certainty } from '#lib/domain/enrichment/proposal'
import { type FoundZone, findTimezone } from '#lib/domain/enrichment/time-zone'
import { findDomain } from '#lib/domain/enrichment/web-domain'
import { readZoneName } from '#lib/domain/enrichment/zone-name'

/** The columns of a list that show where a person is. */
export type ZoneEvidence = {
  timezone?: string | undefined
  country?: string | undefined
  city?: string | undefined
  state?: string | undefined
  phone?: string | undefined
  website?: string | undefined
  email?: string | undefined
}

/** Columns from which a zone can be derived. */
export const ZONE_SOURCES = ['timezone', 'city', 'country', 'phone', 'website', 'email'] as const
export type ZoneSource = (typeof ZONE_SOURCES)[number]

/** `source` is the column from which the zone was derived. */
export type EvidentZone =
  | {
      kind: 'found'
      timezone: string
      source: ZoneSource
      certainty: Certainty
    }
  | Extract<FoundZone, { kind: 'none' }>

/**
 * A person's time zone from all evidence in a list, the surest first: a time zone column; place and country; the country of the
 * phone number; the country ending of the company's domain. Weaker evidence is used only if the surer says nothing at all, so a
 * domain never overrules a country, not even one with several zones.
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

/** Country endings that are sold to everybody because of how they read. */
const SOLD_ENDINGS = new Set(
  'ac ag ai am as bz cc cd cx dj fm gd gg gl gs im io je la lc li ly me mn ms mu nu pw sc sh so st tk tl to tv vc vg vu ws cm co'.split(
    ' ',
  ),
)

/** The ISO 3166-1 alpha-2 code of the country of a domain's ending. */
export function countryOfDomain(domain: string): string | null {
  const ending = domain.slice(domain.lastIndexOf('.') + 1).toLowerCase()
  if (ending === 'uk') return 'GB'
  if (!/^[a-z]{2}$/.test(ending) || SOLD_ENDINGS.has(ending)) return null
  return getCountry(ending.toUpperCase())?.id ?? null
}
