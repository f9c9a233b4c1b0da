import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCREENS } from '#tests/support/screens'

const routeOf = (file: string) =>
  `/${file
    .split('/')
    .slice(1, -1)
    .filter((part) => !part.startsWith('('))
    .join('/')}`

test('every page is looked at: in pictures, and for barriers', () => {
  const pages = globSync('app/**/page.tsx').map(routeOf).sort()
  const listed = SCREENS.map(({ route }) => route).filter((route) => route.startsWith('/'))
  expect(pages.length).toBeGreaterThan(50)
  expect(listed.toSorted()).toEqual(pages)
})

test('every page is looked at under an address of its own', () => {
  for (const { route, at } of SCREENS.filter(({ route }) => route.startsWith('/'))) {
    const shape = new RegExp(`^${route.replace(/\[\w+\]/g, '\\{\\w+\\}')}(\\?|$)`)
    for (const address of at) expect(address).toMatch(shape)
  }
})
