import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breadth, layoutPicture, type Spot } from '#components/sequence/picture/layout'
import { leftAfter, reachedBy, spokenNumbers } from '#components/sequence/picture/numbers'

const steps = fc
  .array(fc.record({ isConditional: fc.boolean(), lane: fc.integer({ min: 0, max: 3 }) }), { maxLength: 20 })
  .map((all) => all.map((step, index) => ({ ...step, key: `step-${index}` })))

const overlaps = (a: Spot, b: Spot) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

describe('the picture of any sequence', () => {
  test('has everything within its bounds, and nothing over anything else', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const { start, steps: placed, end, width, height } = layoutPicture(given)
        const all = [start, ...placed, end]
        for (const [index, spot] of all.entries()) {
          expect(Math.min(spot.x, spot.y)).toBeGreaterThanOrEqual(0)
          expect(spot.x + spot.width).toBeLessThanOrEqual(width)
          expect(spot.y + spot.height).toBeLessThanOrEqual(height)
          for (const other of all.slice(index + 1)) expect(overlaps(spot, other)).toBe(false)
        }
      }),
    )
  })

  test('has one way to each step and to the end, in their order, and one around each step with a condition', () => {
    fc.assert(
      fc.property(steps, (given) => {
        const { ways } = layoutPicture(given)
        const keys = (kind: string) => ways.filter((way) => way.kind === kind).map(({ key }) => key)
        expect(keys('next')).toEqual([...given.map(({ key }) => key), 'end'])
        expect(keys('around')).toEqual(given.filter((one) => one.isConditional).map(({ key }) => key))
        for (const { path } of ways) expect(path).toMatch(/^M[\d .]+([VHQC][\d .]+)+$/)
      }),
    )
  })

  test('goes straight down in one lane, and over to another', () => {
    const { steps: placed, width } = layoutPicture([
      { key: 'a', isConditional: false },
      { key: 'b', isConditional: false, lane: 1 },
    ])
    const [a, b] = placed
    expect(b && a && b.x > a.x + a.width).toBe(true)
    expect(width).toBeGreaterThan(layoutPicture([{ key: 'a', isConditional: false }]).width)
  })
})

test('a way is drawn the broader the more go it, and never away', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000), fc.integer({ min: 1, max: 1_000 }), (one, other, total) => {
      expect(breadth(one, total)).toBeGreaterThanOrEqual(1.5)
      expect(breadth(one, total)).toBeLessThanOrEqual(8)
      if (one <= other) expect(breadth(one, total)).toBeLessThanOrEqual(breadth(other, total))
    }),
  )
  expect([breadth(null, 10), breadth(5, 0)]).toEqual([1.5, 1.5])
})

test('a step is told in numbers that add up', () => {
  const step = {
    ...{ step: 2, waiting: 12, sent: 37, uncertain: 1, failed: 3, skipped: 4 },
    ...{ replied: 5, bounced: 2, unsubscribed: 0 },
  }
  expect(reachedBy(step)).toBe(57)
  expect(leftAfter(step).map(({ what, count }) => `${count} ${what}`)).toEqual([
    '5 replied',
    '2 bounced',
    '3 failed',
  ])
  expect(spokenNumbers(step)).toBe(
    '57 reached, 38 sent, 5 replied, 2 bounced, 3 failed, 4 skipped, 12 waiting',
  )
})
