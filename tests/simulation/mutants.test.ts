import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from '#tests/simulation/mutants'

test.each(MUTANTS)('$name: what it breaks is there, and once', ({ patches }) => {
  for (const { file, find } of patches) expect(fs.readFileSync(file, 'utf8').split(find)).toHaveLength(2)
})

test('the tests that are asked about one are there', () => {
  const there = fs.globSync('tests/**/*.test.ts')
  const asked = MUTANTS.flatMap(({ tests }) => tests ?? [])
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter((begin) => !there.some((file) => file.startsWith(begin)))).toEqual([])
})
