import { describe, expect, test } from 'vitest'
import { guessType } from '#lib/domain/datasets/column-type'
import { columnNames } from '#lib/domain/datasets/columns'
import { suggestMapping } from '#lib/domain/datasets/mapping'

const suggest = (header: string[], ...rows: string[][]) => {
  const nameOf = columnNames(header)
  return suggestMapping(
    header.map((_, index) => {
      const values = rows.map((row) => row[index] ?? '')
      return { name: nameOf(index), type: guessType(values), values }
    }),
  )
}

describe('the mapping is suggested', () => {
  test('of many columns alike the main ones are taken', () => {
    const header = [
      'First Name',
      'Last Name',
      'Title',
      'Company',
      'Company Name for Emails',
      'Email',
      'Email Status',
      'Email Sent',
      'Work Direct Phone',
      'Company Phone',
      'Person Linkedin Url',
      'Company Linkedin Url',
      'Website',
      'Facebook Url',
      'City',
      'Country',
      'Company City',
      'Secondary Email',
    ]
    expect(suggest(header)).toEqual({
      'First Name': 'first_name',
      'Last Name': 'last_name',
      Title: 'title',
      Company: 'company',
      Email: 'email',
      'Work Direct Phone': 'phone',
      'Person Linkedin Url': 'linkedin_url',
      Website: 'website',
      City: 'city',
      Country: 'country',
    })
  })

  test('by content where the header says nothing', () => {
    expect(
      suggest(
        ['', '', '', '', 'Foo'],
        ['Anna', 'anna@example.com', 'https://www.linkedin.com/in/anna', '+49 30 899537', 'Europe/Berlin'],
        ['Ben', 'ben@example.com', 'linkedin.com/in/ben', '+1 555 010 1234', 'Asia/Tokyo'],
      ),
    ).toEqual({ 'Column B': 'email', 'Column C': 'linkedin_url', 'Column D': 'phone', Foo: 'timezone' })
  })

  test.each<[string, string[], string[][], Record<string, string>]>([
    [
      '"Email" of yes and no gives way to the column of addresses',
      ['Email', 'Contact'],
      [
        ['yes', 'a@example.com'],
        ['no', 'b@example.com'],
      ],
      { Contact: 'email' },
    ],
    [
      '"Title" of salutations is no job title',
      ['Title', 'Position', 'Email'],
      [
        ['Mr', 'CEO', 'a@example.com'],
        ['Mrs', 'CTO', 'b@example.com'],
      ],
      { Position: 'title', Email: 'email' },
    ],
    [
      '"Name" of two words stays the full name',
      ['First name', 'Name', 'Email'],
      [['Anna', 'Anna Schmidt', 'a@example.com']],
      { 'First name': 'first_name', Name: 'full_name', Email: 'email' },
    ],
    [
      'an address column stays it even when many are broken',
      ['Email', 'X'],
      [
        ['oops', '1'],
        ['a@example.com', '2'],
        ['', '3'],
        ['bad@', '4'],
      ],
      { Email: 'email' },
    ],
  ])('content decides: %s', (_, header, rows, expected) => {
    expect(suggest(header, ...rows)).toEqual(expected)
  })
})
