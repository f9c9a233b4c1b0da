import { expect, test } from 'vitest'
import { choiceText, shownColumns } from '#components/lists/columns'

const column = (key: string) => ({ key, label: key })
const ALL = [
  ...['name', 'company', 'title', 'tags', 'replied'].map(column),
  { ...column('phone'), isExtra: true },
]
const USUAL = ['name', 'company', 'title', 'tags', 'replied']

test.each([
  { name: 'nothing chosen: as usual, without extras', choice: undefined, shown: USUAL },
  {
    name: 'named ones come first',
    choice: 'tags,name',
    shown: ['tags', 'name', 'company', 'title', 'replied'],
  },
  { name: 'one is hidden', choice: '-title', shown: ['name', 'company', 'tags', 'replied'] },
  { name: 'an extra one is asked for', choice: 'phone', shown: ['phone', ...USUAL] },
  { name: 'only these', choice: 'replied,phone,-*', shown: ['replied', 'phone'] },
  {
    name: 'what is gone, and what is said twice, is passed over',
    choice: 'gone,tags,tags,-*',
    shown: ['tags'],
  },
  { name: 'a table without any column is none', choice: 'gone,-*', shown: USUAL },
])('$name', ({ choice, shown }) => {
  expect(shownColumns(ALL, choice)).toEqual(shown)
})

test('every order of every part of the columns is found again in what is kept of it', () => {
  const parts = (left: string[]): string[][] => [
    [],
    ...left.flatMap((key) => parts(left.filter((other) => other !== key)).map((rest) => [key, ...rest])),
  ]
  const all = parts(ALL.map(({ key }) => key)).filter((part) => part.length > 0)
  expect(all).toHaveLength(1_956)
  for (const shown of all) expect(shownColumns(ALL, choiceText(ALL, shown))).toEqual(shown)
})

test.each([
  { name: 'the usual order', shown: USUAL, choice: '' },
  {
    name: 'the last moved to the front',
    shown: ['replied', 'name', 'company', 'title', 'tags'],
    choice: 'replied',
  },
  { name: 'one hidden', shown: ['name', 'company', 'tags', 'replied'], choice: '-title' },
  { name: 'most hidden', shown: ['tags'], choice: 'tags,-*' },
])('$name: no more is kept than needed', ({ shown, choice }) => {
  expect(choiceText(ALL, shown)).toBe(choice)
})

test('a column that is added later is seen where few are hidden, and stays away where only some were asked for', () => {
  const later = [...ALL, column('seniority')]
  expect(shownColumns(later, choiceText(ALL, ['company', 'name', 'title', 'tags']))).toContain('seniority')
  expect(shownColumns(later, choiceText(ALL, ['company']))).toEqual(['company'])
})

test('a table of 2,000 columns keeps a column at the front in a few letters', () => {
  const wide = Array.from({ length: 2_000 }, (_, place) => column(`column_${place}`))
  const keys = wide.map(({ key }) => key)
  const shown = ['column_1999', ...keys.slice(0, -1)]
  expect(choiceText(wide, shown)).toBe('column_1999')
})
