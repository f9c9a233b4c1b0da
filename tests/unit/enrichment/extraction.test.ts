import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { extractFromRow } from '#lib/domain/enrichment/extract'
import { addressesInText } from '#lib/domain/enrichment/text-addresses'
import { linksInText } from '#lib/domain/enrichment/text-links'
import { nameInText } from '#lib/domain/enrichment/text-names'
import { phonesInText } from '#lib/domain/enrichment/text-phones'

describe('addresses in prose', () => {
  test.each<[string, string[]]>([
    ['Write to ada@acme.com.', ['ada@acme.com']],
    ['<ada@acme.com>, bob@acme.com;', ['ada@acme.com', 'bob@acme.com']],
    ['ada at acme dot com', ['ada@acme.com']],
    ['ada.lovelace [at] acme [dot] co [dot] uk', ['ada.lovelace@acme.co.uk']],
    ['ada (at) acme.com', ['ada@acme.com']],
    ['ada dot lovelace at acme dot com', ['ada.lovelace@acme.com']],
    ['ada@acme.com and ADA@ACME.COM', ['ada@acme.com']],
    ['see you at home. Today we met', []],
    ['meet at acme', []],
    ['look at this.thing', []],
    ['12 @ 5.00', []],
    ['@handle', []],
    ['', []],
  ])('%s', (text, found) => {
    expect(addressesInText(text).map(({ email }) => email)).toEqual(found)
  })

  test('every address that is found is one', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('ada@acme.com', ' at ', ' dot com', '[at]', '@', 'x.de', ' '),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const { email } of addressesInText(pieces.join('')))
          expect(readEmailCell(email)).toEqual({ kind: 'address', email, others: [] })
      }),
    )
  })

  test('an address between words is found, wherever it stands', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(fc.array(word), fc.array(word), word, word, (before, after, local, name) => {
        const email = `${local}@${name}.com`
        const text = [...before, email, ...after].join(' ; ')
        expect(addressesInText(text).map((one) => one.email)).toEqual([email])
      }),
    )
  })
})

describe('numbers, links and names', () => {
  test.each<[string, string | null, string[]]>([
    ['Call +49 30 901820 today', null, ['+4930901820']],
    ['Call 030 901820 today', 'DE', ['+4930901820']],
    ['Call 030 901820 today', null, []],
    ['Invoice 2024-05-17, 12.03.2024', 'DE', []],
    ['+49 30 901820, +4930901820', null, ['+4930901820']],
  ])('%s in %s', (text, country, found) => {
    expect(phonesInText(text, country)).toEqual(found)
  })

  test.each([
    ['see linkedin.com/in/ada-lovelace.', { linkedin_url: 'https://www.linkedin.com/in/ada-lovelace' }],
    ['https://uk.linkedin.com/company/acme/', { linkedin_url: 'https://www.linkedin.com/company/acme' }],
    [
      'x.com/ada and https://acme.com/team.',
      { twitter_url: 'https://x.com/ada', website: 'https://acme.com/team' },
    ],
    ['twitter.com/home', {}],
    ['our site acme.io', { website: 'https://acme.io' }],
    ['ada@acme.com', {}],
    ['index.com/ada', { website: 'https://index.com' }],
    ['nothing', {}],
  ])('%s', (text, found) => {
    expect(linksInText(text)).toEqual({ linkedin_url: null, twitter_url: null, website: null, ...found })
  })

  test.each([
    ['Ada Lovelace <ada@acme.com>', 'Ada Lovelace'],
    ['"Ada Lovelace" <lovelace.a@acme.com>', 'Ada Lovelace'],
    ['Customer Support <info@acme.com>', null],
    ['Contact: Ada Lovelace, phone below', 'Ada Lovelace'],
    ['Ansprechpartner: Jürgen von Berg', 'Jürgen von Berg'],
    ['Thanks!\nBest regards,\nAda Lovelace\nAcme', 'Ada Lovelace'],
    ['Ada Lovelace wrote this', null],
    ['name: to be found', null],
  ])('%j', (text, name) => {
    expect(nameInText(text)?.full_name ?? null).toBe(name)
  })
})

describe('a row', () => {
  const all = { kinds: ['emails', 'phones', 'links', 'names'] as const, columns: null }

  test('reads free text only, names the cell, and keeps further addresses beside the first', () => {
    const row = {
      email: '',
      company: 'mail@company.com',
      notes: 'Ada Lovelace <ada@acme.com>',
      more: 'bob@acme.com',
    }
    const { proposals } = extractFromRow(row, all)
    const of = (field: string) => proposals.find((one) => one.field === field)
    expect(of('email')).toMatchObject({
      value: 'ada@acme.com',
      source: 'notes',
      rule: 'email_in_text',
      certainty: 'certain',
    })
    expect(of('other_emails')).toMatchObject({ value: 'bob@acme.com', source: 'more' })
    expect(of('last_name')).toMatchObject({
      value: 'Lovelace',
      rule: 'name_by_address_label',
      certainty: 'likely',
    })
    expect(proposals.some(({ value }) => value === 'mail@company.com')).toBe(false)
  })

  test('what enrichment filled in is no text to read', () => {
    const row = { domain: 'acme.com', email_repeated_in: 'row 2 of bob@acme.com', company_name: 'acme.io' }
    expect(extractFromRow(row, all).proposals).toEqual([])
  })

  test('reads the columns that are named, and says what was not found', () => {
    const found = extractFromRow(
      { company: 'mail@company.com' },
      { kinds: ['emails', 'phones'], columns: ['company'] },
    )
    expect(found.proposals.map(({ value }) => value)).toEqual(['mail@company.com'])
    expect(found.skips).toEqual([{ field: 'phone', reason: 'nothing_found' }])
    expect(extractFromRow({}, { kinds: ['emails'], columns: null }).skips).toEqual([
      { field: 'email', reason: 'no_text' },
    ])
  })
})
