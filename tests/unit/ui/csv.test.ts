import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine } from '#lib/domain/text/csv'
import { csvRows } from '#lib/providers/spreadsheet/csv'

test.each([
  ['plain', 'plain'],
  [null, ''],
  [7, '7'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+49 30 1234', "'+49 30 1234"],
  ['-5', '-5'],
  ["'=1+1", "''=1+1"],
  ["'s-Hertogenbosch", "'s-Hertogenbosch"],
  ['=cmd|"/c calc"', `"'=cmd|""/c calc"""`],
])('%j is written as %s', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})

const cell = fc.string({
  unit: fc.constantFrom('a', '1', "'", "'", '=', '+', '-', '@', '"', ',', ';', '\t', '\n', '\r', ' ', 'é'),
  maxLength: 8,
})

test('what is exported is imported unchanged', async () => {
  const table = fc.array(fc.tuple(cell, cell), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const written = [['value', 'reason'], ...rows.map((row) => ['x', ...row])]
      // The delimiter is named: nobody could tell it from odd lines.
      const text = `sep=,\r\n${written.map(csvLine).join('')}`
      const read = []
      for await (const batch of csvRows({ head: text, pieces: () => [text].values() }, ','))
        read.push(...batch)
      expect(read.map(({ cells }) => cells)).toEqual(written)
    }),
    { numRuns: 2_000 },
  )
})
