import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contracts } from '#lib/contracts/all'
import { ROOT } from '#tests/support/code/source-files'

const guides = fs.readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
const textOf = (name: string) => fs.readFileSync(path.join(ROOT, 'docs', name), 'utf8')

test('the index names every guide', () => {
  const index = textOf('README.md')
  expect(guides.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([])
})

test.each(guides)('what %s links to is there', (name) => {
  const links = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target)
  expect(links.filter((target) => !fs.existsSync(path.join(ROOT, 'docs', target)))).toEqual([])
})

test.each(guides)('%s names only operations that exist', (name) => {
  const known = new Set(contracts.map(({ id }) => id))
  const named = [...textOf(name).matchAll(/\bclient\.(\w+)\(/g)].map(([, id = '']) => id)
  expect(named.filter((id) => !known.has(id))).toEqual([])
})
