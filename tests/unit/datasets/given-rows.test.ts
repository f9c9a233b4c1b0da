import { describe, expect, test } from 'vitest'
import { columnFinder, type GivenRow, judgeGivenRow, MAX_COLUMNS } from '#lib/domain/datasets/given-rows'

const COLUMNS = [
  { name: 'E-mail', key: 'email' },
  { name: 'First  name', key: 'first_name' },
]
const judged = (row: GivenRow, columns = COLUMNS) => judgeGivenRow(row, columnFinder(columns))

describe('a row given by names', () => {
  test.each<[string, GivenRow, Record<string, string>]>([
    ['keys of columns', { first_name: 'Ada' }, { first_name: 'Ada' }],
    ['names of columns, however they are spaced', { ' first NAME': 'Ada' }, { first_name: 'Ada' }],
    ['new names under their slug', { 'Company size': 12 }, { company_size: '12' }],
    ['booleans and numbers as text', { a: true, b: 0 }, { a: 'true', b: '0' }],
    [
      'the first of two names of one column',
      { first_name: 'Ada', 'First name': 'Eve' },
      { first_name: 'Ada' },
    ],
    ['text without what nobody sees', { first_name: ' A\u200bda\0 ' }, { first_name: 'Ada' }],
    [
      'names that are words of the language',
      { __proto_: 'x', constructor: 'y' },
      { proto: 'x', constructor: 'y' },
    ],
    [
      'further addresses beside the first',
      { 'E-mail': 'ADA@Example.com; eve@example.com' },
      { email: 'ada@example.com', other_emails: 'eve@example.com' },
    ],
  ])('keeps %s', (_, row, cells) => {
    expect(judged(row)).toMatchObject({ kind: 'kept', cells })
  })

  test('names what it was given nothing for, unless another name of the column says something', () => {
    const verdict = judged({ email: null, note: '', city: '#N/A', 'First name': '', first_name: 'Ada' })
    expect(verdict).toEqual({
      kind: 'kept',
      email: null,
      cells: { first_name: 'Ada' },
      emptied: ['email', 'note', 'city'],
    })
  })

  test.each<[string, GivenRow]>([
    ['invalid_email', { email: 'ada@' }],
    ['too_long', { note: 'x'.repeat(32_768) }],
    ['invalid_column', { '***': 'x' }],
  ])('is refused as %s', (code, row) => {
    expect(judged(row)).toMatchObject({ kind: 'refused', code })
  })
})

test('a dataset takes no column above its limit, and keeps those that it has', () => {
  const full = Array.from({ length: MAX_COLUMNS }, (_, index) => ({ name: `C${index}`, key: `c${index}` }))
  expect(judged({ c1999: 'x' }, full)).toMatchObject({ kind: 'kept' })
  expect(judged({ one_more: 'x' }, full)).toMatchObject({ kind: 'refused', code: 'too_many_columns' })
})

test('only columns that a kept row fills are new', () => {
  const columns = columnFinder(COLUMNS)
  judgeGivenRow({ 'Company size': '12', City: 'Oslo' }, columns)
  expect(columns.withNew(new Set(['company_size', 'email']))).toEqual([
    ...COLUMNS,
    { name: 'Company size', key: 'company_size' },
  ])
})
