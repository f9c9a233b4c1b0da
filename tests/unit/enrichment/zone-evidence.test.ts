import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone } from '#lib/domain/calendar/zoned-time'
import { enrichRow } from '#lib/domain/enrichment/enrich'
import { decideCells } from '#lib/domain/enrichment/proposal'
import { countryOfDomain, weighZone, type ZoneEvidence } from '#lib/domain/enrichment/zone-evidence'
import { readZoneName } from '#lib/domain/enrichment/zone-name'

describe('a column of zones', () => {
  test.each([
    ['Europe/Berlin', null, 'Europe/Berlin'],
    [' europe/berlin ', null, 'Europe/Berlin'],
    ['AMERICA/NEW YORK', null, 'America/New_York'],
    ['Asia/Kolkata', null, 'Asia/Kolkata'],
    ['US/Pacific', null, 'US/Pacific'],
    ['Berlin', null, 'Europe/Berlin'],
    ['New York', null, 'America/New_York'],
    ['HST', null, 'Pacific/Honolulu'],
    ['GMT', 'GB', 'Europe/London'],
    ['CET', null, 'CET'],
    ['CEST', null, 'Europe/Berlin'],
    ['EST', null, 'America/New_York'],
    ['EST', 'AU', 'Australia/Sydney'],
    ['PT', null, 'America/Los_Angeles'],
    ['Eastern Time (US & Canada)', null, 'America/New_York'],
    ['(UTC-08:00) Pacific Standard Time', null, 'America/Los_Angeles'],
    ['Central European Summer Time', null, 'Europe/Berlin'],
    ['India Standard Time', null, 'Asia/Kolkata'],
    ['CST', 'US', 'America/Chicago'],
    ['CST', 'CN', 'Asia/Shanghai'],
    ['IST', 'IE', 'Europe/Dublin'],
    ['BST', 'GB', 'Europe/London'],
  ])('%s, %s', (text, country, zone) => {
    expect(readZoneName(text, country)).toBe(zone)
  })

  test.each([
    '',
    'CST',
    'IST',
    'BST',
    'MST',
    'UTC',
    'GMT',
    'Etc/UTC',
    'Etc/GMT+5',
    '+02:00',
    'UTC+2',
    'GMT-5',
    'soon',
    '()',
    'constructor',
  ])('%j alone says nothing', (text) => {
    expect(readZoneName(text, null)).toBe(null)
  })
})

test.each([
  ['acme.de', 'DE'],
  ['acme.co.uk', 'GB'],
  ['acme.com.br', 'BR'],
  ['acme.com', null],
  ['acme.io', null],
  ['acme.co', null],
  ['acme.eu', null],
  ['acme.berlin', null],
])('%s is of %s', (domain, country) => {
  expect(countryOfDomain(domain)).toBe(country)
})

const EVERYTHING: ZoneEvidence = {
  timezone: 'Asia/Tokyo',
  country: 'United States',
  city: 'Chicago',
  phone: '+33 1 42 68 53 00',
  website: 'acme.de',
  email: 'ada@acme.at',
}

describe('the surest evidence decides', () => {
  test.each([
    [{}, 'Asia/Tokyo', 'timezone', 'certain'],
    [{ timezone: 'soon' }, 'America/Chicago', 'city', 'certain'],
    [{ timezone: '', country: 'Sweden', city: '' }, 'Europe/Stockholm', 'country', 'certain'],
    [{ timezone: '', country: '', city: '' }, 'Europe/Paris', 'phone', 'likely'],
    [{ timezone: '', country: '', city: '', phone: '' }, 'Europe/Berlin', 'website', 'likely'],
    [{ timezone: '', country: '', city: '', phone: '', website: '' }, 'Europe/Vienna', 'email', 'likely'],
  ])('without %j', (without, timezone, source, certainty) => {
    expect(weighZone({ ...EVERYTHING, ...without })).toEqual({ kind: 'found', timezone, source, certainty })
  })

  test('a domain does not overrule a country that leaves the zone open, nor one that nobody knows', () => {
    expect(weighZone({ country: 'USA', website: 'acme.de' })).toEqual({
      kind: 'none',
      reason: 'several_zones',
    })
    expect(weighZone({ country: 'Atlantis', website: 'acme.de' })).toEqual({
      kind: 'none',
      reason: 'country_unknown',
    })
  })

  test('free mail and endings that are sold to everybody say nothing', () => {
    expect(weighZone({ email: 'ada@web.de' })).toEqual({ kind: 'none', reason: 'no_place' })
    expect(weighZone({ website: 'acme.io' })).toEqual({ kind: 'none', reason: 'no_place' })
    expect(weighZone({ website: 'acme.com.au' })).toEqual({ kind: 'none', reason: 'several_zones' })
  })

  test('a city needs a country, which the domain may name', () => {
    expect(weighZone({ city: 'Perth' })).toEqual({ kind: 'none', reason: 'no_place' })
    expect(weighZone({ city: 'Perth', website: 'acme.com.au' })).toMatchObject({
      timezone: 'Australia/Perth',
      source: 'website',
      certainty: 'likely',
    })
  })

  test('weaker evidence never changes what surer evidence found, and a zone is one that can be computed with', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'EST', 'Berlin', 'US', 'DE', 'Chicago', '+49 30 123456', 'acme.fr', 'ada@acme.jp'),
      fc.string(),
    )
    const lead = fc.record({
      timezone: text,
      country: text,
      city: text,
      phone: text,
      website: text,
      email: text,
    })
    fc.assert(
      fc.property(lead, text, (row, other) => {
        const zone = weighZone(row)
        if (zone.kind === 'none') return
        expect(isTimeZone(zone.timezone)).toBe(true)
        if (zone.source === 'timezone')
          expect(weighZone({ ...row, city: other, phone: other, website: other })).toEqual(zone)
        if (zone.source === 'city' || zone.source === 'country')
          expect(weighZone({ ...row, website: other, email: other })).toEqual(zone)
      }),
    )
  })
})

test('enrichment spells the zone of the column as IANA does, and leaves one that is so spelled alone', () => {
  const changes = (timezone: string) =>
    decideCells(
      { timezone, country: 'Germany' },
      enrichRow({ timezone, country: 'Germany' }, ['timezone'], { repeated_in: null }),
      { overwrite: true },
    ).changes.map(({ new_value, source }) => [new_value, source])
  expect(changes('Eastern Time')).toEqual([['America/New_York', 'timezone']])
  expect(changes('America/New_York')).toEqual([])
  expect(changes('')).toEqual([['Europe/Berlin', 'country']])
})
