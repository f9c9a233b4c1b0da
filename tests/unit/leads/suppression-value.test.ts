import { expect, test } from 'vitest'
import { readSuppression, valueColumn } from '#lib/domain/leads/suppression-value'

test.each([
  ['Ada@Example.COM', ['ada@example.com']],
  [' Ada L. <ada@example.com> ', ['ada@example.com']],
  ['a@x.com; b@x.com', ['a@x.com', 'b@x.com']],
  ['Example.com', ['@example.com']],
  ['@example.com', ['@example.com']],
  ['bücher.de', ['@xn--bcher-kva.de']],
  ['ada@bücher.de', ['ada@xn--bcher-kva.de']],
])('%s means %j', (text, values) => {
  expect(readSuppression(text)).toEqual({ values })
})

test.each([
  '',
  '@',
  'acme',
  'John Smith',
  '@a@b.com',
  'https://acme.com',
  'acme.com, beta.com',
  'a b@x.com',
  '.com',
])('"%s" is refused with a reason', (text) => {
  expect(readSuppression(text)).toEqual({ reason: expect.stringMatching(/\w/) })
})

test.each([
  [['Name', 'E-Mail Address', 'Reason'], 1],
  [['email'], 0],
  [['\ufeff"Domain"'], 0],
  [['ada@example.com', 'email'], 1],
  [['ada@example.com'], -1],
])('%j names column %d', (row, column) => {
  expect(valueColumn(row)).toBe(column)
})
