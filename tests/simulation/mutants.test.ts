import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from '#tests/simulation/mutants'

test.each(MUTANTS)('$name: what it breaks is there, and once', ({ patches }) => {
  for (const { file, find } of patches) expect(fs.readFileSync(file, 'utf8').split(find)).toHaveLength(2)
})
