import { expect, test } from 'vitest'
import { countryColumn, readSuppression, valueColumn } from '#lib/domain/leads/suppression-value'

test.each([
  ['Ada@Example.COM', ['ada@example.com']],
  [' Ada L. <ada@example.com> ', ['ada@example.com']],
  ['a@x.com; b@x.com', ['a@x.com', 'b@x.com']],
  ['Example.com', ['@example.com']],
  ['@example.com', ['@example.com']],
  ['bücher.de', ['@xn--bcher-kva.de']],
  ['ada@bücher.de', ['ada@xn--bcher-kva.de']],
  ['a/b@x.com', ['a/b@x.com']],
  ['+ada@x.com', ['+ada@x.com']],
  ['https://www.LinkedIn.com/in/Ada/?originalSubdomain=de', ['linkedin.com/in/ada']],
  ['linkedin.com/in/jos%C3%A9/', ['linkedin.com/in/josé']],
  ['https://twitter.com/@ada', ['x.com/ada']],
  ['t.me/ada', ['t.me/ada']],
  ['https://wa.me/491701234567', ['+491701234567']],
  ['+49 (0)170 123-4567', ['+491701234567']],
  ['0049 170 1234567', ['+491701234567']],
  ['tel:+491701234567', ['+491701234567']],
  ["'+491701234567", ['+491701234567']],
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
  '0170 1234567',
  '+49',
  '12',
  'https://www.linkedin.com/company/acme',
  'https://x.com/',
])('"%s" is refused with a reason', (text) => {
  expect(readSuppression(text)).toEqual({ reason: expect.stringMatching(/\w/) })
})

test.each([
  [['Name', 'E-Mail Address', 'Reason'], 1],
  [['email'], 0],
  [['\ufeff"Domain"'], 0],
  [['ada@example.com', 'email'], 1],
  [['ada@example.com'], -1],
  [['Phone number', 'Name'], 0],
  [['Phone', 'LinkedIn URL', 'Email'], 2],
])('%j names column %d', (row, column) => {
  expect(valueColumn(row)).toBe(column)
})

test('a number as it is dialled within a country needs the country', () => {
  expect(readSuppression('0170 1234567', 'DE')).toEqual({ values: ['+491701234567'] })
  expect(countryColumn(['Phone', 'Country'])).toBe(1)
})
