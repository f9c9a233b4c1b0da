import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { expect, test } from 'vitest'

/** The command of docs/release.md, read from there so that test and guide cannot disagree. */
const [command = ''] = /npm sbom [^>`]*/.exec(fs.readFileSync('docs/release.md', 'utf8')) ?? []

test('the bill of materials names every package that an instance runs with', () => {
  const [npm = '', ...args] = command.trim().split(/\s+/)
  const document = JSON.parse(
    execFileSync(npm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 }),
  )
  expect(document).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) })
  type Component = { purl: string; properties?: { name: string; value: string }[] }
  const components: Component[] = document.components
  const isForDevelopment = ({ properties = [] }: Component) =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const runs = new Set(
    components.filter((one) => !isForDevelopment(one)).map(({ purl }) => decodeURIComponent(purl)),
  )
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as {
    [kind in 'dependencies' | 'devDependencies']: Record<string, string>
  }
  const purls = Object.entries(dependencies).map(([name, version]) =>
    version.startsWith('npm:') ? `pkg:npm/${version.slice('npm:'.length)}` : `pkg:npm/${name}@${version}`,
  )
  expect(purls.filter((purl) => !runs.has(purl))).toEqual([])
  const tools = ['vitest', 'fast-check', 'recheck', 'prisma', 'typescript', 'node'].map(
    (name) => `pkg:npm/${name}@${devDependencies[name]}`,
  )
  expect(tools.filter((purl) => runs.has(purl))).toEqual([])
  expect(runs.size).toBeGreaterThan(300)
})
