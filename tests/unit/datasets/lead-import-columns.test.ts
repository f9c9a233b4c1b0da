import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellRef, cleanText, columnLetter } from '#lib/domain/datasets/cells'
import { guessType } from '#lib/domain/datasets/column-type'
import { columnNames, toSlug } from '#lib/domain/datasets/columns'
import { findHeaderRow } from '#lib/domain/datasets/header-row'

const rowsOf = (rows: string[][]) => rows.map((cells, index) => ({ row_number: index + 1, cells }))

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('column %i is called %s, as spreadsheets do', (index, letter) => {
  expect(columnLetter(index)).toBe(letter)
  expect(cellRef(17, index)).toBe(`${letter}17`)
})

test.each([
  ['  Adatum\r\nCorporation ', 'Adatum\nCorporation'],
  ['a\u0000b\u0007c', 'abc'],
  ['\ud83dx', '\ufffdx'],
  ['👩‍👩‍👧 🙂', '👩‍👩‍👧 🙂'],
  ['=CONCAT Media', '=CONCAT Media'],
  [' ~ !', '~ !'],
  ['a ', 'a'],
  ['\ta\tb\n', 'a\tb'],
  ['a\u007fb', 'ab'],
  ['a\u00a0', 'a'],
  [' ', ''],
])('the text %j is kept as %j', (text, kept) => {
  expect(cleanText(text)).toBe(kept)
})

test('a text that was cleaned has no blank at its ends and nothing that nobody sees, and stays as it is', () => {
  const unit = fc.constantFrom(
    'a',
    '~',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u001f',
    '\u007f',
    '\u00a0',
    '\u200b',
    'é',
    '🙂',
    '\ud83d',
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      const kept = cleanText(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
      expect(kept).not.toMatch(/^\s|\s$|[\u0000-\u0008\u000b-\u001f\u007f\u200b]/)
      expect(kept.isWellFormed()).toBe(true)
      expect(cleanText(kept)).toBe(kept)
      expect(kept.replace(/[^a~é]/g, '')).toBe(text.replace(/[^a~é]/g, ''))
    }),
    { numRuns: 2_000 },
  )
})

describe('the header row is found', () => {
  const lead = ['Anna', 'anna@example.com', '0711 123456']
  test.each<[string, string[][], number | null]>([
    ['on top', [['Name', 'Email', 'Phone'], lead], 0],
    [
      'below a title and a blank row',
      [['Prospects 2026'], [], ['Given name', 'E-mail Address ', 'Phone'], lead],
      2,
    ],
    ['below a title that names a field', [['Email list of Q4'], ['Name', 'Email', 'Phone'], lead], 1],
    [
      'below notes with a date and a number',
      [['Export', '2026-10-31'], ['Rows', '2'], [], ['Name', 'Email', 'City'], lead],
      3,
    ],
    [
      'below a title with an address',
      [['Export by ops@example.com'], ['Name', 'Email', 'City'], lead, lead],
      1,
    ],
    ['below group headings', [['Person', '', 'Reach'], ['Vorname', 'E-Mail', 'Telefon'], lead], 1],
    [
      'in names nobody knows',
      [
        ['Foo', 'Bar', 'Baz'],
        ['1', 'x', '2'],
        ['3', 'y', '4'],
      ],
      0,
    ],
    [
      'with numbers as names among known ones',
      [
        ['Email', '2025', '2026'],
        ['a@example.com', '1', '2'],
      ],
      0,
    ],
    ['alone in its column', [['email'], ['a@example.com'], ['b@example.com']], 0],
    ['with no row below it', [['Name', 'Email', 'Phone']], 0],
    [
      'in Japanese',
      [
        ['氏名', 'メールアドレス', '会社名'],
        ['王', 'w@example.com', '例社'],
      ],
      0,
    ],
    ['not at all: the first row is a lead', [lead, ['Ben', 'ben@example.com', '0711 9']], null],
    ['not at all: a column of addresses', [['a@example.com'], ['b@example.com']], null],
    ['not at all: nothing in the sheet', [], null],
    ['not at all: blank rows only', [['', ''], [' ']], null],
  ])('%s', (_, rows, expected) => {
    expect(findHeaderRow(rowsOf(rows))).toBe(expected)
  })

  test('for any cells the answer is a filled row or null', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.emailAddress(),
      fc.constantFrom('Email', 'Name', '', '12'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }), (rows) => {
        const at = findHeaderRow(rowsOf(rows))
        if (at !== null) expect(rows[at]?.some((text) => cleanText(text) !== '')).toBe(true)
      }),
    )
  })
})

describe('columns have names and slugs of their own', () => {
  test('repeated and empty headers stay apart', () => {
    const nameOf = columnNames(['Email ', '', 'Email', 'Two\nlines', 'Column B'])
    expect([0, 1, 2, 3, 4, 5].map(nameOf)).toEqual([
      'Email',
      'Column B (unnamed)',
      'Email (2)',
      'Two lines',
      'Column B',
      'Column F',
    ])
  })

  test.each([
    ['E-mail (privé) ', 'e_mail_prive'],
    ['Last contact', 'last_contact'],
    ['電話番号', '電話番号'],
    ['ЗАМЕТКИ', 'заметки'],
    ['हिन्दी नोट', 'हिन्दी_नोट'],
    ['Größe', 'grosse'],
    ['Ǽ, Ǿ and Ǆ', 'ae_o_and_dz'],
    ['2026 score', 'field_2026_score'],
    ['9'.repeat(200), `field_${'9'.repeat(57)}`],
    ['__proto__', 'proto'],
    ['%%%', ''],
    ['x'.repeat(200), 'x'.repeat(63)],
  ])('%j becomes the merge field %j', (name, slug) => {
    expect(toSlug(name)).toBe(slug)
  })

  test('a slug can always be written into a template, and its slug is itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const slug = toSlug(name)
        expect(slug).toMatch(/^$|^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u)
        expect(toSlug(slug)).toBe(slug)
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  [['a@example.com', 'B@example.org', 'oops', ''], 'email'],
  [['2026-10-31', '2026-11-01'], 'date'],
  [['2026-10-31T10:00:00'], 'datetime'],
  [['1', '2.5', '1,234.50', '-3', '12%', '$5.00'], 'number'],
  [['+49 (0)30 8995375', '0713966154', '(555) 010-1234'], 'phone'],
  [['https://example.com', 'www.example.org/x', 'acme.example'], 'url'],
  [['TRUE', 'FALSE', 'TRUE'], 'boolean'],
  [['Anna', '12', 'x'], 'text'],
  [['', '  '], 'empty'],
])('%j is a column of %s', (values, type) => {
  expect(guessType(values)).toBe(type)
})
