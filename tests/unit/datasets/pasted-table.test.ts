import { describe, expect, test } from 'vitest'
import { MAX_COLUMNS } from '#lib/domain/datasets/given-rows'
import { namedRows, readPastedRows, readPastedTable } from '#lib/domain/datasets/pasted-table'

const cellsIn = (text: string) => readPastedRows(text).map(({ cells }) => cells)

describe('a pasted table', () => {
  test.each<[string, string, string[][]]>([
    ['tabs, as spreadsheets put them', 'a\tb\r\nc\td\r\n', [['a', 'b'], ['c', 'd'], []]],
    [
      'commas',
      'a,b\nc,"d, e"',
      [
        ['a', 'b'],
        ['c', 'd, e'],
      ],
    ],
    [
      'semicolons before commas',
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'lines and quotes in a cell',
      'a\tb\n"one\ntwo ""three"""\tx',
      [
        ['a', 'b'],
        ['one\ntwo "three"', 'x'],
      ],
    ],
    [
      'empty cells at the edges',
      '\ta\t\nb\t\t',
      [
        ['', 'a', ''],
        ['b', '', ''],
      ],
    ],
    [
      'a quote that never ends',
      'a\t"b\nc\td',
      [
        ['a', '"b'],
        ['c', 'd'],
      ],
    ],
    [
      'tabs before commas in the cells',
      'Name\tInterests (golf, tennis, chess)\nAda\tmaths',
      [
        ['Name', 'Interests (golf, tennis, chess)'],
        ['Ada', 'maths'],
      ],
    ],
    [
      'semicolons before commas in quotes, under an empty line and a title',
      '\nLeads\n"Ada, of London, UK";7',
      [[''], ['Leads'], ['Ada, of London, UK', '7']],
    ],
    ['one word', 'a', [['a']]],
    ['old line ends', 'a\rb', [['a'], ['b']]],
  ])('of %s', (_, text, cells) => {
    expect(cellsIn(text)).toEqual(cells)
  })

  test('its header names the columns, which go to fields or keep their names', () => {
    const table = readPastedTable(
      'E-Mail\tVorname\tScore\nada@example.com\tAda\t7\n\t\t\neve@example.com\tEve\t',
    )
    expect(table.columns.map(({ name, filled_count }) => [name, filled_count])).toEqual([
      ['E-Mail', 2],
      ['Vorname', 2],
      ['Score', 1],
    ])
    expect(table.mapping).toEqual({ 'E-Mail': 'email', Vorname: 'first_name' })
    expect(namedRows(table, table.mapping)).toEqual([
      { email: 'ada@example.com', first_name: 'Ada', Score: '7' },
      { email: 'eve@example.com', first_name: 'Eve' },
    ])
  })

  test('without a header its columns are known by what they hold', () => {
    const table = readPastedTable('ada@example.com\nEve <eve@example.com>')
    expect(namedRows(table, table.mapping)).toEqual([
      { email: 'ada@example.com' },
      { email: 'Eve <eve@example.com>' },
    ])
  })

  test('a column that is called as what every object has keeps its name', () => {
    const table = readPastedTable('email\tconstructor\nada@example.com\tAcme')
    expect(namedRows(table, table.mapping)).toEqual([{ email: 'ada@example.com', constructor: 'Acme' }])
  })

  test('of nothing is nothing', () => {
    expect(readPastedTable(' \n\t\n')).toEqual({ columns: [], rows: [], mapping: {}, is_too_wide: false })
  })

  test('with more columns than a dataset may have it is not looked at, and says so', () => {
    const wide = (columns: number) => readPastedTable(`${'a\t'.repeat(columns - 1)}a\nx`)
    expect(wide(MAX_COLUMNS)).toMatchObject({ is_too_wide: false, columns: { length: MAX_COLUMNS } })
    expect(wide(MAX_COLUMNS + 1)).toMatchObject({ is_too_wide: true, columns: [], mapping: {} })
  })
})
