import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Env } from '#lib/env'
import { ROOT, sources } from '#tests/support/code/source-files'

/** Read by `npm run up`, the tools and compose.yaml themselves, before the app's environment exists. */
const STARTERS = ['POSTGRES_PASSWORD', 'PORT', 'ROLE']

/** Set by `npm run up` for the processes it starts; nobody sets them by hand. */
const INNER = [
  'ENGINE_PORT',
  'ENGINE_HOST',
  'ENGINE_RETRY_DELAYS_MS',
  'INNGEST_SERVE_URL',
  'NEXTAUTH_URL',
  'NEXT_DIST_DIR',
  'ONLY_LOAD',
]

const example = fs.readFileSync(path.join(ROOT, '.env.example'), 'utf8')
const documented = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].flatMap(([, key]) => key ?? [])

test('.env.example names every variable of the environment, and no other', () => {
  expect(documented.toSorted()).toEqual([...Object.keys(Env.shape), ...STARTERS].toSorted())
})

test('docs/vercel.md says of every variable whether it is set there', () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs/vercel.md'), 'utf8')
  expect(documented.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('what .env.example sets is valid', () => {
  const values = Object.fromEntries(
    [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=(.*)$/gm)].flatMap(([, key = '', value = '']) =>
      value === '' ? [] : [[key, value]],
    ),
  )
  const parsed = Env.partial({ DATABASE_URL: true, ENCRYPTION_KEY: true }).safeParse(values)
  expect(parsed.error?.issues ?? []).toEqual([])
})

test('the app reads no variable that the environment does not declare', () => {
  const known = new Set([...Object.keys(Env.shape), ...STARTERS, ...INNER])
  const read = sources()
    .filter(({ file }) => /^(app|components|inngest|lib)\//.test(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(/process\.env\.(\w+)/g)].map(([, key = '']) => ({ file, key })),
    )
  expect(read.length).toBeGreaterThan(0)
  // PATH is only passed on to child processes.
  expect(read.filter(({ key }) => !known.has(key) && key !== 'PATH')).toEqual([])
})
