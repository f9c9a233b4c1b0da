import { expect, test } from 'vitest'
import { columnNames } from '#lib/domain/datasets/columns'
import { trimChars, trimEndChars } from '#lib/domain/text/text-end'
import { readFileArgument } from '#lib/http/mcp/files'

test('what stands at an end goes, what stands within stays', () => {
  expect(trimEndChars('a.b!?.', '.!?')).toBe('a.b')
  expect(trimEndChars('...', '.')).toBe('')
  expect(trimChars('-a-b--', '-')).toBe('a-b')
})

test('columns of one name are numbered in their order, past the numbers that are taken', () => {
  const nameOf = columnNames(['A', 'A (2)', 'A', 'A', 'B', 'A'])
  expect([0, 1, 2, 3, 4, 5].map(nameOf)).toEqual(['A', 'A (2)', 'A (3)', 'A (4)', 'B', 'A (5)'])
})

test('base64 is taken with its padding or without, and in lines; anything else is refused', async () => {
  for (const content_base64 of ['Zg==', 'Zg', 'Z\ng==\n'])
    expect(await readFileArgument('file', { filename: 'a.csv', content_base64 }).text()).toBe('f')
  expect(() =>
    readFileArgument('file', { filename: 'a.csv', content_base64: `${'='.repeat(1_000)}a` }),
  ).toThrow()
})
