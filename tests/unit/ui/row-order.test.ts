import { expect, test } from 'vitest'
import { bothWays, sortedPage, sortRows } from '#lib/domain/text/row-order'

const at = (day: number) => new Date(Date.UTC(2026, 0, day))
const ROWS = [
  { name: 'beta', used: at(2) },
  { name: 'Alpha', used: null },
  { name: 'gamma', used: at(1) },
]
const ORDERS = {
  name: ({ name }: (typeof ROWS)[number]) => name,
  used: ({ used }: (typeof ROWS)[number]) => used,
}

test.each([
  [undefined, ['beta', 'Alpha', 'gamma']],
  ['name', ['Alpha', 'beta', 'gamma']],
  ['-used', ['beta', 'gamma', 'Alpha']],
  ['used', ['gamma', 'beta', 'Alpha']],
  ['toString', ['beta', 'Alpha', 'gamma']],
])('rows by %s', (sort, names) => {
  expect(sortRows(ROWS, ORDERS, sort).map(({ name }) => name)).toEqual(names)
})

test('a page is cut only where all rows were read to be sorted', () => {
  const page = { page: 2, page_size: 2 }
  expect(sortedPage(ROWS, ORDERS, { sort: 'name', ...page }).map(({ name }) => name)).toEqual(['gamma'])
  expect(sortedPage(ROWS, ORDERS, page)).toEqual(ROWS)
})

test('each order goes both ways', () => {
  expect(bothWays(['name', 'used'])).toEqual(['name', '-name', 'used', '-used'])
})
