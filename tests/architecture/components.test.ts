import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { importsOf } from '#tests/support/code/source-files'

/** Have no looks of their own: words, classes, listeners and the frame of the app. */
const SHOWN_BY_OTHERS = [
  'counted',
  'controls/ask-admin',
  'controls/control-class',
  'controls/keeping-focus',
  'controls/link',
  'feedback/late',
  'feedback/live-refresh',
  'overlays/hold-dialog',
  'overlays/menu-choice',
  'overlays/menu-item-class',
  'overlays/time-dialog',
  'plots/plot-frame',
  'query-href',
  'time-hints',
  'overlays/toaster',
  'failed-result',
  'use-action',
  'use-asked',
]

test('every component of components/ui is shown under /dev/ui', () => {
  const shown = globSync('app/dev/ui/*.tsx').flatMap((file) => importsOf(readFileSync(file, 'utf8')))
  const files = globSync('components/ui/**/*.tsx').map((file) =>
    file.slice('components/ui/'.length, -'.tsx'.length),
  )
  expect(files.length).toBeGreaterThan(40)
  const missing = files.filter(
    (name) => !SHOWN_BY_OTHERS.includes(name) && !shown.includes(`#components/ui/${name}`),
  )
  expect(missing).toEqual([])
})

test('what runs in the browser takes only types from contracts: their validation weighs 40 KB', () => {
  const inBrowser = globSync('{app,components}/**/*.tsx').filter((file) =>
    readFileSync(file, 'utf8').startsWith("'use client'"),
  )
  expect(inBrowser.length).toBeGreaterThan(60)
  const heavy = inBrowser.filter((file) =>
    valuesOf(readFileSync(file, 'utf8')).some((from) => from.startsWith('#lib/contracts/')),
  )
  expect(heavy).toEqual([])
})

/** The modules from which a source imports values, not only types. */
function valuesOf(code: string): string[] {
  return [...code.matchAll(/^import (?!type )\{([^}]*)\} from '([^']+)'/gm)]
    .filter(([, names = '']) => names.split(',').some((name) => /^\s*(?!type )\w/.test(name)))
    .map(([, , from = '']) => from)
}

test('what is loaded once it is needed leaves the page around it where it is', () => {
  const files = globSync('{app,components}/**/*.tsx')
  const found = files.flatMap((file) =>
    listLoaders(readFileSync(file, 'utf8')).map((loader) => ({ file, ...loader })),
  )
  expect(found.length).toBeGreaterThan(25)
  // Without a `loading` option it has no Suspense boundary of its own, and the nearest one hides the page.
  expect(found.filter(({ options }) => !options.includes('loading:'))).toEqual([])
})

test('links are those of components/ui: links of Next fetch ahead every page that one could go to', () => {
  const files = globSync('{app,components}/**/*.{ts,tsx}')
  const found = files.filter((file) => importsOf(readFileSync(file, 'utf8')).includes('next/link'))
  expect(found).toEqual(['components/ui/controls/link.tsx'])
})

/** Each call of `dynamic`: what it loads, and its options. */
function listLoaders(code: string): { loads: string; options: string }[] {
  const found: { loads: string; options: string }[] = []
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'Identifier' || callee.name !== 'dynamic') return
      const [loads = '', options = ''] = given.map(({ start, end }) => code.slice(start, end))
      found.push({ loads, options })
    },
  }).visit(parseSync('code.tsx', code).program)
  return found
}

/** Names that we use for a control whose action is in progress. */
const UNDER_WAY = /^(?:is_?)?(?:pending|busy)$|^is[A-Z]\w*ing$/i

test('no control is disabled while something is on its way: the one that was pressed would lose the focus', () => {
  const files = globSync('{app,components}/**/*.tsx')
  const losing = files.flatMap((file) =>
    listDisabling(readFileSync(file, 'utf8'))
      .filter((names) => names.some((name) => UNDER_WAY.test(name)))
      .map((names) => `${file}: disabled by ${names.join(', ')}`),
  )
  expect(losing).toEqual([])
})

test('what disables a control is read from its markup', () => {
  const code =
    'const a = <b disabled={isOff || talk.busy} aria-busy={isPending} />\nconst c = <d disabled={isSaving} />'
  expect(listDisabling(code)).toEqual([['isOff', 'talk', 'busy'], ['isSaving']])
  const names = ['isPending', 'busy', 'is_busy', 'isSaving', 'isFixed', 'isOff', 'missing']
  expect(names.filter((name) => UNDER_WAY.test(name))).toEqual(['isPending', 'busy', 'is_busy', 'isSaving'])
})

/** The names that decide each `disabled` in markup. */
function listDisabling(code: string): string[][] {
  const ranges: { start: number; end: number }[] = []
  const names: { start: number; name: string }[] = []
  new Visitor({
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && name.name === 'disabled' && value) ranges.push(value)
    },
    Identifier({ start, name }) {
      names.push({ start, name })
    },
  }).visit(parseSync('code.tsx', code).program)
  return ranges.map(({ start, end }) =>
    names.filter((one) => one.start >= start && one.start < end).map(({ name }) => name),
  )
}

test('colours are roles of app/globals.css: no component names one of its own', () => {
  for (const file of globSync('components/**/*.tsx')) {
    const found = readFileSync(file, 'utf8').match(/(?<![\w&])#[0-9a-f]{6}\b|\b(?:rgb|hsl|oklch)a?\(/gi)
    expect([file, found]).toEqual([file, null])
  }
})

/** A component reads well where each part of it has a name; this is the maximum length of one. */
const MOST_LINES = 65

test(`no function of components and app is longer than ${MOST_LINES} lines`, () => {
  const files = globSync('{app,components}/**/*.{ts,tsx}')
  expect(files.length).toBeGreaterThan(500)
  const long = files.flatMap((file) =>
    linesOfFunctions(readFileSync(file, 'utf8'))
      .filter(({ lines }) => lines > MOST_LINES)
      .map(({ line, lines }) => `${file}:${line} has ${lines} lines`),
  )
  expect(long).toEqual([])
})

test('functions of each kind are counted from their first line to their last', () => {
  const code = ['function one() {', '  return () => {', '    two()', '  }', '}', 'const f = () => 1'].join(
    '\n',
  )
  expect(linesOfFunctions(code)).toEqual([
    { line: 1, lines: 5 },
    { line: 2, lines: 3 },
    { line: 6, lines: 1 },
  ])
})

function linesOfFunctions(code: string): { line: number; lines: number }[] {
  const found: { line: number; lines: number }[] = []
  const lineAt = (place: number) => code.slice(0, place).split('\n').length
  const count = ({ start, end }: { start: number; end: number }) => {
    const line = lineAt(start)
    found.push({ line, lines: lineAt(end) - line + 1 })
  }
  new Visitor({
    FunctionDeclaration: count,
    FunctionExpression: count,
    ArrowFunctionExpression: count,
  }).visit(parseSync('code.tsx', code).program)
  return found
}
