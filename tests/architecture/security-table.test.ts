import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, sources } from '#tests/support/code/source-files'

const document = fs.readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')
const rows = document
  .split('\n')
  .filter((line) => /^\| (API|V)\d/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
const [risks = [], points = [], outside = []] = [
  rows.filter(([id = '']) => id.startsWith('API')),
  rows.filter(([id = '', ...cells]) => id.startsWith('V') && cells.length === 4),
  rows.filter(([id = '', ...cells]) => id.startsWith('V') && cells.length === 1),
]

/** How many points of level 1 and 2 each section of ASVS 5.0.0 has; they come first, those of level 3 after them. */
// biome-ignore format: a list to look through
const SECTIONS: Record<string, number> = {
  'V1.1': 2, 'V1.2': 9, 'V1.3': 11, 'V1.4': 3, 'V1.5': 2, 'V2.1': 3, 'V2.2': 3, 'V2.3': 4, 'V2.4': 1,
  'V3.2': 2, 'V3.3': 4, 'V3.4': 6, 'V3.5': 5, 'V3.7': 2, 'V4.1': 3, 'V4.2': 1, 'V4.3': 2, 'V4.4': 4,
  'V5.1': 1, 'V5.2': 3, 'V5.3': 2, 'V5.4': 3, 'V6.1': 3, 'V6.2': 12, 'V6.3': 4, 'V6.4': 4, 'V6.5': 5, 'V6.6': 3, 'V6.8': 4,
  'V7.1': 3, 'V7.2': 4, 'V7.3': 2, 'V7.4': 5, 'V7.5': 2, 'V7.6': 2, 'V8.1': 2, 'V8.2': 3, 'V8.3': 1, 'V8.4': 1,
  'V9.1': 3, 'V9.2': 4, 'V10.1': 2, 'V10.2': 2, 'V10.3': 4, 'V10.4': 11, 'V10.5': 5, 'V10.6': 2, 'V10.7': 3,
  'V11.1': 2, 'V11.2': 3, 'V11.3': 3, 'V11.4': 4, 'V11.5': 1, 'V11.6': 1, 'V12.1': 3, 'V12.2': 2, 'V12.3': 4,
  'V13.1': 1, 'V13.2': 5, 'V13.3': 2, 'V13.4': 5, 'V14.1': 2, 'V14.2': 4, 'V14.3': 3, 'V15.1': 3, 'V15.2': 3, 'V15.3': 7,
  'V16.1': 1, 'V16.2': 5, 'V16.3': 4, 'V16.4': 3, 'V16.5': 3, 'V17.1': 1, 'V17.2': 4, 'V17.3': 2,
}
const ALL = Object.entries(SECTIONS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
)

test('every point of ASVS 5.0.0, levels 1 and 2, and every risk of the API Top 10 is there once', () => {
  const given = [...points, ...outside].flatMap(([ids = '']) => ids.split(', '))
  expect(given.toSorted()).toEqual(ALL.toSorted())
  expect(risks.map(([id]) => id)).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`))
})

const code = new Map(sources().map((source) => [source.file, source.code]))
const quoted = (title: string) =>
  ["'", '"', '`'].map((quote) => `${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`)

/** The requirements that apply, by `id`: where each holds, which tests cover it, and what is left. */
const claims = [...points, ...risks.map(([id, asks, , ...rest]) => [id, asks, ...rest])].map(
  ([id = '', , holds = '', tests = '', left = '']) => ({ id, holds, tests, left }),
)

test('each names a test that is there, or a page, or what is left', () => {
  const lost = claims.flatMap(({ id, tests }) =>
    tests
      .split('; `')
      .filter(Boolean)
      .map((one) => one.replace(/^`?/, '').split('` · '))
      .filter(([file, title = '']) => {
        const there = code.get(`tests/${file}.test.ts`)
        return !there || !quoted(title).some((text) => there.includes(text))
      })
      .map((one) => `${id}: ${one.join(' · ')}`),
  )
  expect(lost).toEqual([])
  expect(
    claims.filter(({ holds, tests, left }) => !tests && !left && !holds.includes('](')).map(({ id }) => id),
  ).toEqual([])
})

test('where it holds is a file, a folder or a heading', () => {
  const isThere = (file: string) => fs.existsSync(path.join(ROOT, file))
  const files = claims.flatMap(({ id, holds }) =>
    [...holds.matchAll(/`([^`]+)`/g)]
      .filter(([, file = '']) => !isThere(file))
      .map(([file]) => `${id}: ${file}`),
  )
  const pages = claims.flatMap(({ id, holds }) =>
    [...holds.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)]
      .filter(([, file = '', heading]) => !isThere(`docs/${file}`) || !hasHeading(`docs/${file}`, heading))
      .map(([link]) => `${id}: ${link}`),
  )
  expect([...files, ...pages]).toEqual([])
})

/** Compares with anchors as GitHub derives them from headings. */
function hasHeading(file: string, heading: string | undefined): boolean {
  const headings = fs.readFileSync(path.join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)
  const slugs = [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  )
  return heading === undefined || slugs.includes(heading)
}
