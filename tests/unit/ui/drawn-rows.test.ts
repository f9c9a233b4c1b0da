import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grown, type Span } from '#components/lists/use-drawn'

const span = fc.tuple(fc.nat(2_000), fc.nat(60)).map(([from, length]): Span => ({ from, to: from + length }))
const inside = (one: Span, other: Span) => one.from >= other.from && one.to <= other.to

test('wherever a list was scrolled to, a frame gives cells to few rows, and some frames to all', () => {
  fc.assert(
    fc.property(span, span, fc.nat(60), (before, window, offset) => {
      let drawn = before
      for (let frame = 0; frame < 10; frame++) {
        const next = grown(drawn, window, window.from + offset, () => true)
        const isNew = (index: number) => index < drawn.from || index >= drawn.to
        const fresh = Array.from({ length: next.to - next.from }, (_, place) => next.from + place).filter(
          isNew,
        )
        expect(fresh.length).toBeLessThanOrEqual(24)
        expect(inside(next, window)).toBe(true)
        drawn = next
      }
      expect(drawn).toEqual(window)
    }),
  )
})

test('rows that are not here yet are waited for, so that they come a few each frame too', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), (top, missing) => {
      let drawn = { from: 0, to: 0 }
      const window = { from: 100, to: 150 }
      const isHere = (index: number) => index !== 100 + missing
      for (let frame = 0; frame < 10; frame++) drawn = grown(drawn, window, 100 + top, isHere)
      for (let index = drawn.from; index < drawn.to; index++) expect(isHere(index)).toBe(true)
      if (missing < top) expect(drawn).toEqual({ from: 101 + missing, to: 150 })
      if (missing > top) expect(drawn).toEqual({ from: 100, to: 100 + missing })
    }),
  )
})
