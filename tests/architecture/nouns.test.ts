import { describe, expect, test } from 'vitest'
import { importsOf, resolveImport, sources } from '#tests/support/code/source-files'

/**
 * Which noun of a layer may import which others of it. A noun may import those listed above it, never those
 * below, so that there is no cycle.
 */
const NOUNS: Record<'domain' | 'services', [noun: string, knows: string[]][]> = {
  domain: [
    ['calendar', []],
    ['text', []],
    ['images', []],
    ['messages', ['text']],
    ['sandbox', []],
    ['social', ['text']],
    ['tokens', []],
    ['campaigns', ['calendar', 'social', 'text']],
    ['telling', ['campaigns']],
    ['datasets', ['text']],
    ['inbox', ['messages', 'text']],
    ['personalize', ['text']],
    ['analytics', ['calendar', 'campaigns', 'text']],
    ['domains', ['calendar', 'datasets', 'inbox']],
    ['enrichment', ['calendar', 'datasets', 'inbox', 'text']],
    ['finder', ['datasets', 'text']],
    ['sending', ['calendar', 'campaigns', 'domains', 'inbox']],
    ['forecast', ['calendar', 'campaigns', 'sending']],
    ['leads', ['campaigns', 'datasets', 'enrichment', 'sending', 'social', 'text']],
    ['workspaces', ['domains', 'inbox', 'text']],
  ],
  services: [
    ['instance', []],
    ['reading', ['instance']],
    ['assistant', ['instance']],
    ['files', ['instance']],
    ['telling', ['instance']],
    ['datasets', ['files', 'instance', 'reading', 'telling']],
    ['messages', ['datasets', 'files', 'instance']],
    ['campaigns', ['files', 'instance', 'messages', 'telling']],
    ['workspaces', ['campaigns', 'files', 'instance', 'telling']],
    ['senders', ['campaigns', 'instance', 'reading', 'telling', 'workspaces']],
    ['billing', ['instance', 'senders', 'workspaces']],
    ['domains', ['instance', 'reading', 'senders', 'workspaces']],
    ['finder', ['instance', 'senders']],
    ['leads', ['campaigns', 'datasets', 'files', 'instance', 'reading', 'senders', 'telling']],
    ['posts', ['files', 'instance', 'senders', 'telling']],
    ['sending', ['campaigns', 'instance', 'leads', 'messages', 'senders', 'telling']],
    ['forecast', ['campaigns', 'leads', 'messages', 'senders', 'sending']],
    [
      'personalize',
      [
        'campaigns',
        'datasets',
        'instance',
        'leads',
        'messages',
        'senders',
        'sending',
        'telling',
        'workspaces',
      ],
    ],
    ['step-previews', ['campaigns', 'instance', 'leads', 'messages', 'senders', 'sending']],
    [
      'changes',
      ['campaigns', 'forecast', 'instance', 'leads', 'messages', 'senders', 'sending', 'workspaces'],
    ],
    [
      'enrichment',
      ['campaigns', 'datasets', 'finder', 'instance', 'leads', 'messages', 'personalize', 'senders'],
    ],
    [
      'launch',
      ['campaigns', 'datasets', 'domains', 'forecast', 'instance', 'leads', 'messages', 'senders', 'sending'],
    ],
    ['social', ['campaigns', 'instance', 'launch', 'leads', 'senders', 'sending']],
    [
      'inbox',
      [
        'campaigns',
        'datasets',
        'domains',
        'instance',
        'leads',
        'messages',
        'personalize',
        'reading',
        'senders',
        'sending',
        'social',
        'telling',
        'workspaces',
      ],
    ],
    [
      'sandbox',
      [
        'campaigns',
        'changes',
        'datasets',
        'forecast',
        'inbox',
        'launch',
        'leads',
        'messages',
        'posts',
        'reading',
        'senders',
        'social',
        'workspaces',
      ],
    ],
  ],
}

/**
 * The maximum number of entries in a folder, so that a name is found quickly; folders of `app` are exempt, as they are the public paths.
 */
const ENTRIES = 25
/** A test file covers one behaviour; one that needs more lines covers two. */
const TEST_LINES = 350

const files = sources()

describe.each(Object.entries(NOUNS))('lib/%s', (room, nouns) => {
  const base = `lib/${room}/`
  const ours = files.filter(({ file }) => file.startsWith(base))
  const nounOf = (file: string) => file.slice(base.length).split('/')[0] ?? ''

  test('every file stands with a noun of the table', () => {
    expect([...new Set(ours.map(({ file }) => nounOf(file)))].toSorted()).toEqual(
      nouns.map(([noun]) => noun).toSorted(),
    )
  })

  test('a noun knows only those above it', () => {
    for (const [index, [noun, knows]] of nouns.entries())
      expect([noun, knows.filter((other) => nouns.findIndex(([name]) => name === other) >= index)]).toEqual([
        noun,
        [],
      ])
  })

  test('a noun imports those that the table names, and each of them', () => {
    const imported = nouns.map(([noun]) => {
      const of = ours.filter(({ file }) => nounOf(file) === noun)
      const targets = of.flatMap(({ file, code }) =>
        importsOf(code).flatMap((specifier) => resolveImport(file, specifier) ?? []),
      )
      const others = targets.filter((target) => target.startsWith(base)).map(nounOf)
      return [noun, [...new Set(others)].filter((other) => other !== noun).toSorted()]
    })
    expect(imported).toEqual(nouns)
  })
})

test('every test stands with its noun', () => {
  const loose = files.filter(({ file }) => /^tests\/(unit|api|jobs|e2e)\/[^/]+\.test\.ts$/.test(file))
  expect(loose.map(({ file }) => file)).toEqual([])
})

test('no folder holds more than can be read at one look', () => {
  const entries = new Map<string, Set<string>>()
  for (const { file } of files.filter((of) => !of.file.startsWith('app/'))) {
    const parts = file.split('/')
    for (const [depth, part] of parts.entries()) {
      const folder = parts.slice(0, depth).join('/')
      entries.set(folder, (entries.get(folder) ?? new Set()).add(part))
    }
  }
  const full = [...entries].filter(([, { size }]) => size > ENTRIES)
  expect(full.map(([folder, { size }]) => `${folder}: ${size}`)).toEqual([])
})

test('no file of tests is longer than one behaviour needs', () => {
  const lines = files
    .filter(({ file }) => /^tests\/.*\.test\.ts$/.test(file))
    .map(({ file, code }) => ({ file, lines: code.trimEnd().split('\n').length }))
  expect(lines.length).toBeGreaterThan(100)
  const long = lines.filter(({ lines }) => lines > TEST_LINES)
  expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
})
