import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#scripts/up/settings'
import { nodeFault } from '../../../scripts/node-version.mjs'

test.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.10.0'])('Node %s can install Opener', (version) => {
  expect(nodeFault(version)).toBeNull()
})

test.each(['18.20.0', '20.9.0', '20.18.3', '21.7.0', '22.11.0', '23.5.0'])(
  'Node %s cannot, and is told',
  (version) => {
    expect(nodeFault(version)).toMatch(/^Node [\d.]+ cannot install Opener: use Node 24/)
  },
)

test('what is promised is what the strictest package asks for, in package.json too', () => {
  const read = (file: string) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'))
  expect(read('node_modules/prisma/package.json').engines.node).toBe('^20.19 || ^22.12 || >=24.0')
  expect(read('package.json').engines.node).toBe('^20.19 || ^22.12 || >=24')
  expect(read('package-lock.json').packages[''].engines.node).toBe('^20.19 || ^22.12 || >=24')
})
