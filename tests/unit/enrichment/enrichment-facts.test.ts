import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressFaults, isDisposableDomain, isRoleLocal } from '#lib/domain/enrichment/address-quality'
import { countryCode } from '#lib/domain/enrichment/country'
import { enrichRow } from '#lib/domain/enrichment/enrich'
import { readJobTitle } from '#lib/domain/enrichment/job-title'
import { decideCells, type LeadData, type Proposal } from '#lib/domain/enrichment/proposal'
import { ENRICHMENT_RULES } from '#lib/domain/enrichment/rule-names'
import { countryOfPhone, findTimezone } from '#lib/domain/enrichment/time-zone'
import { domainOfWebsite, findDomain } from '#lib/domain/enrichment/web-domain'

describe('job titles', () => {
  test.each([
    ['CEO', 'c_level', 'executive'],
    ['Chief Technology Officer', 'c_level', 'engineering'],
    ['Co-Founder & CEO', 'owner', 'executive'],
    ['VP of Sales', 'vp', 'sales'],
    ['Vice President, Marketing', 'vp', 'marketing'],
    ['Head of Marketing', 'head', 'marketing'],
    ['Director of Engineering', 'director', 'engineering'],
    ['Sales Manager', 'manager', 'sales'],
    ['Senior Software Engineer', 'senior', 'engineering'],
    ['Geschäftsführer', 'c_level', 'executive'],
    ['Vertriebsleiter', 'head', 'sales'],
    ['HR Manager', 'manager', 'human_resources'],
    ['Marketing Intern', 'intern', 'marketing'],
    ['Customer Success Manager', 'manager', 'customer_success'],
    ['CFO', 'c_level', 'finance'],
    ['Dreamer', null, null],
    ['', null, null],
  ])('%s', (title, seniority, department) => {
    expect(readJobTitle(title)).toEqual({ seniority, department })
  })
})

describe('domains', () => {
  test.each([
    ['https://www.acme.com/about?x=1', 'acme.com'],
    ['acme.com', 'acme.com'],
    ['WWW.Acme.CO.UK/', 'acme.co.uk'],
    ['https://münchen.de', 'xn--mnchen-3ya.de'],
    ['https://www.linkedin.com/company/acme', null],
    ['n/a', null],
    ['ada@acme.com', null],
    ['http://127.0.0.1/', null],
    ['', null],
  ])('website %s', (text, domain) => {
    expect(domainOfWebsite(text)).toBe(domain)
  })

  test.each([
    [{ email: 'a@acme.com' }, { domain: 'acme.com', source: 'email', agrees: null }],
    [{ email: 'a@gmail.com' }, null],
    [{ email: 'a@mailinator.com' }, null],
    [
      { email: 'a@gmail.com', website: 'acme.com' },
      { domain: 'acme.com', source: 'website', agrees: null },
    ],
    [
      { email: 'a@mail.acme.com', website: 'acme.com' },
      { domain: 'acme.com', source: 'website', agrees: true },
    ],
    [
      { email: 'a@holding.com', website: 'acme.com' },
      { domain: 'acme.com', source: 'website', agrees: false },
    ],
    [{}, null],
  ])('of %j', (lead, found) => {
    expect(findDomain(lead)).toEqual(found)
  })
})

describe('time zones', () => {
  test.each([
    [{ country: 'Germany' }, 'Europe/Berlin', 'certain'],
    [{ country: 'Deutschland' }, 'Europe/Berlin', 'certain'],
    [{ country: 'FR' }, 'Europe/Paris', 'certain'],
    [{ country: 'UK' }, 'Europe/London', 'certain'],
    [{ country: 'Japan' }, 'Asia/Tokyo', 'certain'],
    [{ country: 'Sweden' }, 'Europe/Stockholm', 'certain'],
    [{ country: 'Nederland' }, 'Europe/Amsterdam', 'certain'],
    [{ country: 'Norway' }, 'Europe/Oslo', 'certain'],
    [{ country: 'USA', city: 'Chicago' }, 'America/Chicago', 'certain'],
    [{ country: 'United States', city: 'Portland, ME' }, 'America/New_York', 'certain'],
    [{ country: 'US', city: 'San Francisco, CA' }, 'America/Los_Angeles', 'certain'],
    [{ country: 'US', state: 'Colorado' }, 'America/Denver', 'certain'],
    [{ country: 'Brazil', city: 'São Paulo' }, 'America/Sao_Paulo', 'certain'],
    [{ country: 'Spain' }, 'Europe/Madrid', 'likely'],
    [{ country: 'Spain', city: 'Las Palmas' }, 'Atlantic/Canary', 'certain'],
    [{ phone: '+49 30 123456' }, 'Europe/Berlin', 'likely'],
    [{ phone: '0049 30 123456' }, 'Europe/Berlin', 'likely'],
    [{ country: 'Austria', phone: '+49 30 123456' }, 'Europe/Vienna', 'certain'],
  ])('%j', (place, timezone, certainty) => {
    expect(findTimezone(place)).toMatchObject({ kind: 'found', timezone, certainty })
  })

  test.each([
    ['Berlin, Germany', 'Europe/Berlin'],
    ['London, England, United Kingdom', 'Europe/London'],
    ['Austin, Texas, United States', 'America/Chicago'],
    ['Toronto, Ontario, Canada', 'America/Toronto'],
    ['Wien, Österreich', 'Europe/Vienna'],
    ['Tbilisi, Georgia', null],
    ['Springfield, United States', null],
  ])('a country behind the city: %s', (city, timezone) => {
    expect(findTimezone({ city })).toMatchObject(timezone ? { timezone, source: 'city' } : { kind: 'none' })
  })

  test.each([
    [{}, 'no_place'],
    [{ city: 'Paris' }, 'no_place'],
    [{ country: 'USA' }, 'several_zones'],
    [{ country: 'USA', city: 'Springfield' }, 'several_zones'],
    [{ phone: '+1 212 555 0100' }, 'several_zones'],
    [{ phone: '030 123456' }, 'no_place'],
    [{ country: 'Atlantis', phone: '+49 30 123456' }, 'country_unknown'],
    [{ city: 'Wilmington, DE' }, 'no_place'],
    [{ city: 'Atlanta, Georgia' }, 'no_place'],
  ])('%j says nothing', (place, reason) => {
    expect(findTimezone(place)).toEqual({ kind: 'none', reason })
  })

  test('a zone is always one that the runtime knows', () => {
    const known = new Set(Intl.supportedValuesOf('timeZone'))
    const text = fc.oneof(fc.constantFrom('US', 'ES', 'de', 'India', 'Ukraine', 'NP'), fc.string())
    fc.assert(
      fc.property(text, fc.string(), (country, city) => {
        const found = findTimezone({ country, city })
        if (found.kind === 'none') return
        const zone = new Intl.DateTimeFormat('en', { timeZone: found.timezone }).resolvedOptions().timeZone
        expect(known.has(found.timezone) || known.has(zone)).toBe(true)
      }),
    )
  })

  test.each([
    [
      'DE',
      'ألمانيا|גרמניה|Németország|Γερμανία|Saksa|DEU|Bundesrepublik Deutschland|🇩🇪|Germany (DE)|DE - Germany',
    ],
    [
      'US',
      'U.S.A|u.s.|EE. UU.|EEUU|Etats-Unis|États Unis|the United States|USA / United States|Stany Zjednoczone',
    ],
    [
      'GB',
      'Großbritannien|Grossbritannien|England, UK|The United Kingdom|GBR|Schottland|Inglaterra|Royaume Uni',
    ],
    ['AT', 'Oesterreich|Österreich|OESTERREICH|Republik Österreich'],
    ['TR', 'Tuerkei|Türkei|Turkey|Türkiye'],
    ['ES', 'Espana|España'],
    ['CI', "Cote d'Ivoire|Côte d’Ivoire|Ivory Coast"],
    ['CN', "PRC|P.R. China|People's Republic of China"],
    ['NL', 'Pays Bas|Holanda|Países Bajos'],
    ['RO', 'România'],
    ['GR', 'Ελλάδα'],
    ['AE', 'UAE|United Arab Emirates (the)'],
    [null, 'Germany or France|Georgia, US|Deutschland/Österreich|Atlantis (X)|()|-'],
  ])('countries as lists spell them: %s', (code, names) => {
    for (const name of names.split('|')) expect(countryCode(name), name).toBe(code)
  })

  test('countries by code and by name, and numbers', () => {
    expect(['de', 'Allemagne', 'Nederland', '日本', 'Holland', 'nowhere', ''].map(countryCode)).toEqual([
      'DE',
      'DE',
      'NL',
      'JP',
      'NL',
      null,
      null,
    ])
    expect([countryOfPhone('+33 1 42 68 53 00'), countryOfPhone('+'), countryOfPhone(undefined)]).toEqual([
      'FR',
      null,
      null,
    ])
  })
})

describe('addresses', () => {
  test.each([
    ['ada@acme.com', false, []],
    ['ada@gmail.com', false, ['free_mail']],
    ['info@acme.com', false, ['role']],
    ['ada@mailinator.com', true, ['disposable', 'duplicate']],
    ['info@gmail.com', false, ['role', 'free_mail']],
    ['broken', false, ['invalid']],
  ])('%s', (email, isRepeated, faults) => {
    expect(addressFaults(email, { isRepeated })).toEqual(faults)
  })

  test('subdomains of throw-away domains count, domains that only end alike do not', () => {
    expect(isDisposableDomain('x.mailinator.com')).toBe(true)
    expect(isDisposableDomain('ada-mailinator.com')).toBe(false)
    expect(isDisposableDomain('com')).toBe(false)
  })

  test('roles by their word, not by a part of a name', () => {
    expect(['info', 'sales', 'sales-uk', 'support+de', 'no-reply'].every(isRoleLocal)).toBe(true)
    expect(['infantino', 'sally', 'it.smith', 'hrant', 'ada'].some(isRoleLocal)).toBe(false)
  })
})

describe('cells', () => {
  const proposal = (field: string, value: string): Proposal => ({
    field,
    value,
    rule: 'r',
    source: 's',
    certainty: 'certain',
  })
  const decide = (
    row: LeadData,
    proposals: Proposal[],
    options: Partial<Parameters<typeof decideCells>[2]> = {},
  ) => decideCells(row, { proposals, skips: [] }, { overwrite: false, ...options })

  test('fills what is empty, and says why it left the rest', () => {
    const row = { a: 'kept', b: ' ', c: 'same' }
    const { changes, skips } = decide(row, [
      proposal('a', '1'),
      proposal('b', '2'),
      proposal('c', 'same'),
      proposal('d', ''),
    ])
    expect(changes).toEqual([
      { field: 'b', old_value: null, new_value: '2', rule: 'r', source: 's', certainty: 'certain' },
    ])
    expect(skips).toEqual([
      { field: 'a', reason: 'already_filled' },
      { field: 'c', reason: 'already_so' },
      { field: 'd', reason: 'nothing_found' },
    ])
  })

  test('replaces filled cells only where asked, and never those that are locked', () => {
    const lock = { filled_cells: 'in_campaign', email: 'in_campaign' }
    const proposals = [proposal('a', '1'), proposal('email', 'x@acme.com')]
    expect(decide({ a: 'old' }, proposals, { overwrite: true }).changes).toHaveLength(2)
    const locked = decide({ a: 'old' }, proposals, { overwrite: true, lock })
    expect(locked.changes).toEqual([])
    expect(locked.skips.map(({ reason }) => reason)).toEqual(['in_campaign', 'in_campaign'])
  })

  test('without overwrite no filled cell ever changes, and a second run changes nothing', () => {
    const fields = [
      'email',
      'first_name',
      'last_name',
      'full_name',
      'company',
      'title',
      'phone',
      'website',
      'city',
      'country',
    ]
    const row = fc.dictionary(
      fc.constantFrom(...fields),
      fc.oneof(fc.string(), fc.constantFrom('ADA LOVELACE', 'Acme, Inc.', 'CEO', 'a@acme.com', 'Germany')),
    )
    fc.assert(
      fc.property(row, (lead) => {
        const once = decide(lead, enrichRow(lead, ENRICHMENT_RULES, { repeated_in: null }).proposals)
        for (const { field, old_value } of once.changes) {
          expect(old_value).toBeNull()
          expect((Object.hasOwn(lead, field) ? (lead[field] ?? '') : '').trim()).toBe('')
        }
        const filled = {
          ...lead,
          ...Object.fromEntries(once.changes.map((one) => [one.field, one.new_value])),
        }
        const again = decide(filled, enrichRow(filled, ENRICHMENT_RULES, { repeated_in: null }).proposals)
        expect(again.changes).toEqual([])
      }),
    )
  })
})
