import { expect, test } from 'vitest'
import { presenceText } from '#lib/domain/inbox/presence'

const viewing = (name: string) => ({ name, is_typing: false })
const typing = (name: string) => ({ name, is_typing: true })

test.each([
  { people: [], expected: null },
  { people: [viewing('Ana')], expected: 'Ana is viewing this' },
  { people: [typing('Ana')], expected: 'Ana is answering' },
  { people: [viewing('Ana'), viewing('Ben')], expected: 'Ana and Ben are viewing this' },
  { people: [viewing('Ana'), typing('Ben')], expected: 'Ben is answering' },
  { people: ['Ana', 'Ben', 'Cleo'].map(typing), expected: 'Ana, Ben and 1 other are answering' },
  { people: ['Ana', 'Ben', 'Cleo', 'Dan'].map(typing), expected: 'Ana, Ben and 2 others are answering' },
])('$expected', ({ people, expected }) => {
  expect(presenceText(people)).toBe(expected)
})
