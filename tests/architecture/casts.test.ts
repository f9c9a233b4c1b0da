import { expect, test } from 'vitest'
import { bareCode, sources } from '#tests/support/code/source-files'

/** Where types meet data of the database and the network a cast is unavoidable; anywhere else it is an unchecked claim. */
const EDGES = /^lib\/(http|db)\/|^app\/main\.ts$|^(tests|tools|scripts|prisma)\//
const NAMES =
  /\b(?:import|export)\s+(?:type\s+)?[\w\s,*]*(?:\{[^}]*\})?\s*from\b|\bexport\s+\{[^}]*\}|\bin\s+keyof\s+[\w.]+\s+as\b/g
const CAST =
  /\bas\s+(?:[A-Z]\w|[TIC]\b|string\b|number\b|object\b|never\b|unknown\b|keyof\b|typeof\b|readonly\b|\((?!\?)|[{[])/g

/**
 * Each has a comment with its reason: no type can express it, or a library's type does not. Instead of adding one, find a type that
 * expresses it.
 */
const MOST = 14

const casts = (code: string) => [...bareCode(code).replace(NAMES, ' ').matchAll(CAST)].length

test('the reader of casts sees casts alone', () => {
  const code = `
import { a as B, type c as D } from 'one'
import * as E from 'two'
const list = ['x'] as const
const text = 'read as Text' // seen as Comment
type Renamed = { [K in keyof F as G]: K }
const one = value as One
const two = (value as unknown as { two: string }).two
const pattern = /as (?:said|told)/`
  expect(casts(code)).toBe(3)
})

test(`at most ${MOST} casts stand outside the edges`, () => {
  const found = sources()
    .filter(({ file }) => !EDGES.test(file))
    .map(({ file, code }) => ({ file, count: casts(code) }))
    .filter(({ count }) => count > 0)
  const total = found.reduce((sum, { count }) => sum + count, 0)
  expect(total, found.map(({ file, count }) => `${count} ${file}`).join('\n')).toBeLessThanOrEqual(MOST)
})

const SAYS_WHY = /^\s*(?:\/\/|\*|\/\*\*)/

test('each of them says why it stands', () => {
  const silent = sources()
    .filter(({ file, code }) => !EDGES.test(file) && casts(code) > 0)
    .flatMap(({ file, code }) => {
      const lines = code.split('\n')
      return lines.flatMap((line, at) => {
        if (casts(line) === 0 || SAYS_WHY.test(line)) return []
        return lines.slice(Math.max(0, at - 3), at).some((above) => SAYS_WHY.test(above))
          ? []
          : [`${file}:${at + 1}`]
      })
    })
  expect(silent).toEqual([])
})
