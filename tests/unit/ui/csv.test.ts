import { expect, test } from 'vitest'
import { csvLine } from '#lib/domain/text/csv'

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
  ['=cmd|"/c calc"', `"'=cmd|""/c calc"""`],
])('%j is written as %s', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`)
})
