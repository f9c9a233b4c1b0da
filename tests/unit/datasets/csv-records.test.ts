import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvTrouble, csvRecords } from '#lib/providers/spreadsheet/csv-records'

const MAX = 4_000_000

function recordsIn(pieces: Iterable<string>, delimiter = ',', max = MAX): string[][] | string {
  try {
    return [...csvRecords(pieces, delimiter, max)]
  } catch (error) {
    if (error instanceof CsvTrouble) return error.message
    throw error
  }
}

/** An independent parser as the oracle; null where it refuses the text. */
function oracle(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: false,
    })
  } catch {
    return null
  }
}

const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'é',
    '🙂',
    ' ',
    '"',
    '"',
    '""',
    ',',
    ',',
    ';',
    '\n',
    '\r\n',
    '\r',
    '",',
    '"\n',
    '\n"',
    ',"',
  ),
  maxLength: 40,
})

test('any text is cut as another parser cuts it', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(',', ';', '\t'), (table, delimiter) => {
      expect(recordsIn([table], delimiter)).toEqual(
        oracle(table, delimiter) ?? expect.stringMatching(/^not_closed/),
      )
    }),
    { numRuns: 5_000 },
  )
})

test('wherever a text is cut into pieces, it holds the same records', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (table, size) => {
      const pieces = Array.from({ length: Math.ceil(table.length / size) }, (_, n) =>
        table.slice(n * size, (n + 1) * size),
      )
      expect(recordsIn(pieces)).toEqual(recordsIn([table]))
    }),
    { numRuns: 3_000 },
  )
})

describe('a record', () => {
  test.each([
    [
      'a,b\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b\rc\n\nd\n', [['a', 'b'], ['c'], [''], ['d']]],
    [
      '"a,b","c ""d""","e\nf"\ng,',
      [
        ['a,b', 'c "d"', 'e\nf'],
        ['g', ''],
      ],
    ],
    ['a"b","c"d,"e""f"g\n', [['a"b"', '"c"d', '"e"f"g']]],
    ['""\n"",""', [[''], ['', '']]],
    ['', []],
  ])('of %j', (table, records) => {
    expect(recordsIn([table])).toEqual(records)
  })

  test('that never ends is refused by its number, once it is too long', () => {
    expect(recordsIn(['a\nb,"c\n', 'd'])).toBe('not_closed: record 2')
    const read: number[] = []
    function* endless() {
      for (let n = 0; ; n++) {
        read.push(n)
        yield n === 0 ? 'a\n"' : 'x'.repeat(10)
      }
    }
    expect(recordsIn(endless(), ',', 1_000)).toBe('too_long: record 2')
    expect(read.length).toBeLessThan(300)
    expect(recordsIn([`a\n${','.repeat(2_000)}\n`], ',', 1_000)).toBe('too_long: record 2')
  })
})
