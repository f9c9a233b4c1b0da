import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Advisory, compareVersions, knownWeaknesses } from '#scripts/audit/known-weaknesses'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))
const stored: { source: string; taken_on: string; advisories: Advisory[] } = read(
  'scripts/audit/advisories.json',
)
const lock = read('package-lock.json')

const planted = (events: object[], name = 'left-pad'): Advisory => ({
  id: 'GHSA-plan-ted0-0000',
  summary: 'Planted',
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
})
const installed = (place: string, entry: { name?: string; version: string }) => ({
  packages: { '': {}, [place]: entry },
})

test.each([
  ['1.0.0', '1.0.1'],
  ['1.9.0', '1.10.0'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-alpha', '1.0.0-alpha.1'],
  ['1.0.0-alpha.2', '1.0.0-alpha.10'],
  ['1.0.0-1', '1.0.0-alpha'],
  ['2.0.0-beta-2', '2.0.0'],
])('%s comes before %s', (one, other) => {
  expect(compareVersions(one, other)).toBeLessThan(0)
  expect(compareVersions(other, one)).toBeGreaterThan(0)
  expect(compareVersions(one, `${one}+build.7`)).toBe(0)
})

test.each([
  ['1.2.2', [{ introduced: '0' }, { fixed: '1.2.3' }], 1],
  ['1.2.3', [{ introduced: '0' }, { fixed: '1.2.3' }], 0],
  ['1.2.3-rc.1', [{ introduced: '0' }, { fixed: '1.2.3' }], 1],
  ['2.0.0', [{ introduced: '0' }, { fixed: '1.2.3' }, { introduced: '2.0.0' }, { fixed: '2.0.1' }], 1],
  ['1.9.0', [{ introduced: '0' }, { fixed: '1.2.3' }, { introduced: '2.0.0' }], 0],
  ['1.2.3', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], 1],
  ['1.2.4', [{ introduced: '1.0.0' }, { last_affected: '1.2.3' }], 0],
])('of an installed %s a planted advisory over %o finds %i', (version, events, count) => {
  const found = knownWeaknesses(installed('node_modules/left-pad', { version }), [planted(events)])
  expect(found).toHaveLength(count)
})

test('what lies deep, has a scope or stands under another name is found too', () => {
  const all = [{ introduced: '0' }]
  const of = (place: string, entry: { name?: string; version: string }, name: string) =>
    knownWeaknesses(installed(place, entry), [planted(all, name)]).map((one) => `${one.name} ${one.version}`)
  expect(of('node_modules/a/node_modules/left-pad', { version: '1.0.0' }, 'left-pad')).toEqual([
    'left-pad 1.0.0',
  ])
  expect(of('node_modules/@s/p', { version: '1.0.0' }, '@s/p')).toEqual(['@s/p 1.0.0'])
  const alias = { name: '@e965/xlsx', version: '0.18.5' }
  expect(of('node_modules/xlsx', alias, 'xlsx')).toEqual(['xlsx 0.18.5'])
  expect(of('node_modules/xlsx', alias, '@e965/xlsx')).toEqual(['@e965/xlsx 0.18.5'])
  expect(of('node_modules/xlsx', alias, 'pad')).toEqual([])
})

test('nothing that is installed is on the stored list, which says where it is from and of which day', () => {
  expect(stored.advisories.length).toBeGreaterThan(0)
  expect(stored.source).toContain('GitHub Advisory Database')
  expect(Number.isNaN(Date.parse(stored.taken_on))).toBe(false)
  expect(knownWeaknesses(lock, stored.advisories)).toEqual([])
})

test('the stored list is about packages that are installed, and finds them as they were', () => {
  const before = structuredClone(lock)
  before.packages['node_modules/xlsx'].version = '0.18.5'
  expect(knownWeaknesses(before, stored.advisories).map(({ id }) => id)).toEqual([
    'GHSA-4r6h-8v6p-xvw6',
    'GHSA-5pgg-2g8v-p4x9',
  ])
  for (const { affected } of stored.advisories)
    for (const { package: named } of affected)
      expect(Object.keys(lock.packages)).toContain(`node_modules/${named.name}`)
})
