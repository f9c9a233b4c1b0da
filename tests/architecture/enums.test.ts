import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g
/** The members of an array with `as const` or in `z.enum()`, or of a union of types. */
const MEMBERS = /\[\s*((?:'[\w-]+',?\s*){3,})\](?=\s*as const|\))|((?:'[\w-]+'\s*\|\s*){2,}'[\w-]+')/g

const namesIn = (code: string) =>
  [...code.replace(COMMENTS, '').matchAll(MEMBERS)].map(([whole]) =>
    [...new Set([...whole.matchAll(/'([\w-]+)'/g)].map(([, name]) => name))].toSorted().join(', '),
  )

test('the reader of enums sees each form, whatever the order', () => {
  const code = `
const A = ['one', 'two', 'three'] as const
const B = z.enum(['three', 'two', 'one'])
type C = 'two' | 'one' | 'three'
// type D = 'two' | 'one' | 'three'
const few = ['one', 'two'] as const`
  expect(namesIn(code)).toEqual(Array(3).fill('one, three, two'))
})

test('an enum of three names or more stands once in the domain and the contracts', () => {
  const standing = sources()
    .filter(({ file }) => /^lib\/(domain|contracts)\//.test(file))
    .flatMap(({ file, code }) => namesIn(code).map((names) => ({ names, file })))
  expect(standing.length).toBeGreaterThan(40)
  const twice = Map.groupBy(standing, ({ names }) => names)
  expect(
    [...twice]
      .filter(([, places]) => places.length > 1)
      .map(([names, places]) => `${names}: ${places.map(({ file }) => file).join(', ')}`),
  ).toEqual([])
})
