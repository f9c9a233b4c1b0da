import { expect, test } from 'vitest'
import { fittingTemplates, typedTemplate } from '#components/messages/offered/typed-template'

test.each([
  { before: '/', typed: '' },
  { before: 'Hello /', typed: '' },
  { before: 'Hello,\n/pri', typed: 'pri' },
  { before: 'see and/or /price l', typed: 'price l' },
  { before: 'non\u00a0breaking\u00a0/a', typed: 'a' },
  { before: `/${'a'.repeat(60)}`, typed: 'a'.repeat(60) },
])('behind "$before" a template is typed', ({ before, typed }) => {
  expect(typedTemplate(before)).toBe(typed)
})

test.each([
  '',
  'Hello',
  'and/or',
  '1/2',
  'on 27/11',
  'https:/',
  'https://example.com/price',
  'example.com/',
  '//',
  'a / b',
  '/\tb',
  '/price\nlist',
  '{{ website }}/',
  '</',
  `/${'a'.repeat(61)}`,
])('behind %j is none', (before) => {
  expect(typedTemplate(before)).toBeNull()
})

test('at most six are offered, by any part of their names, in their order', () => {
  const named = (name: string) => ({ id: name, name })
  const templates = ['Price list', 'Directions', 'After a price', ...'abcdefg'].map(named)
  expect(fittingTemplates(templates, 'PRICE').map(({ name }) => name)).toEqual([
    'Price list',
    'After a price',
  ])
  expect(fittingTemplates(templates, 'nothing')).toEqual([])
  expect(fittingTemplates(templates, '')).toHaveLength(6)
})
