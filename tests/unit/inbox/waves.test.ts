import fc from 'fast-check'
import { expect, test } from 'vitest'
import { together } from '#lib/providers/inbox/together'
import { toPieces, toWaves } from '#lib/services/inbox/arriving/waves'

const named = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }), { maxLength: 12 })

test('of what concerns the same one is in a wave, and the order is kept', () => {
  fc.assert(
    fc.property(named, (lists) => {
      const items = lists.map((concerns, place) => ({ concerns, place }))
      const waves = toWaves(items, ({ concerns }) => concerns)
      expect(
        waves
          .flat()
          .map(({ place }) => place)
          .toSorted((a, b) => a - b),
      ).toEqual(items.map(({ place }) => place))
      for (const one of ['a', 'b', 'c', 'd'] as const) {
        const ofOne = waves.map((wave) => wave.filter(({ concerns }) => concerns.includes(one)))
        expect(ofOne.every((wave) => wave.length < 2)).toBe(true)
        const places = ofOne.flat().map(({ place }) => place)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      }
    }),
  )
  expect(toWaves([], () => [])).toEqual([])
  expect(toWaves(['x', 'y'], () => [])).toEqual([['x', 'y']])
})

test('a mail that names one before it begins a piece', () => {
  const mail = (message_id: string | null, ...about: string[]) => ({ message_id, about })
  const pieces = (...mails: ReturnType<typeof mail>[]) =>
    toPieces(mails, (one) => one).map((piece) => piece.length)
  expect(pieces()).toEqual([])
  expect(pieces(mail('1'), mail('2'), mail(null, '9'), mail('3'))).toEqual([4])
  expect(pieces(mail('1'), mail('2', '1'), mail('3', '1'), mail('4', '2'))).toEqual([1, 2, 1])
  expect(pieces(mail('1'), mail('1'))).toEqual([1, 1])
})

test('mails are taken in together by number and size', () => {
  const sizes = (mails: number[]) => together(mails, (size) => size).map((group) => group.length)
  expect(sizes(Array(120).fill(1))).toEqual([50, 50, 20])
  expect(sizes([3e6, 1, 1.5e6, 6e5, 1])).toEqual([1, 2, 2])
})
