import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  probabilitiesBest,
  SETTLED,
  sendsToSettle,
  thompsonWeights,
} from '#lib/domain/analytics/variant-choice'

const arm = (successes: number, trials: number) => ({ successes, trials })

// Reference values by SciPy 1.17: adaptive quadrature of the same integral, tolerance 1e-12.
test.each([
  [
    [arm(10, 100), arm(20, 100)],
    [0.024826966847025348, 0.9751730331527741],
  ],
  [
    [arm(0, 10), arm(0, 10)],
    [0.5, 0.5],
  ],
  [
    [arm(3, 50), arm(5, 60), arm(2, 10)],
    [0.040180285032108125, 0.0816416974139512, 0.8781780175536438],
  ],
  [
    [arm(300, 10_000), arm(330, 10_000)],
    [0.11244115836924203, 0.8875588416305582],
  ],
  [
    [arm(0, 0), arm(1, 1)],
    [1 / 3, 2 / 3],
  ],
  [
    [arm(0, 5), arm(0, 1000)],
    [0.994041708043594, 0.005958291956288931],
  ],
])('of %j the best is each with probability %j', (arms, expected) => {
  for (const [index, probability] of probabilitiesBest(arms).entries())
    expect(probability).toBeCloseTo(expected[index] ?? -1, 8)
})

const arms = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.double({ min: 0, max: 0.4, noNaN: true }))
    .map(([trials, share]) => arm(Math.round(trials * share), trials)),
  { minLength: 2, maxLength: 6 },
)

test('the probabilities add up to one, and a further success never lowers its arm', () => {
  fc.assert(
    fc.property(arms, (list) => {
      const before = probabilitiesBest(list)
      expect(before.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10)
      const [first = arm(0, 0), ...rest] = list
      const after = probabilitiesBest([arm(first.successes + 1, first.trials + 1), ...rest])
      expect(after[0]).toBeGreaterThanOrEqual((before[0] ?? 0) - 1e-7)
    }),
    { numRuns: 60 },
  )
})

test('what is settled needs no more sends, what differs needs some, what is equal is never settled', () => {
  expect(sendsToSettle([arm(10, 100), arm(40, 100)], [1, 1])).toBe(0)
  expect(sendsToSettle([arm(50, 1000), arm(50, 1000)], [1, 1])).toBe(null)
  const sends = sendsToSettle([arm(10, 100), arm(15, 100)], [1, 1])
  expect(sends).toBeGreaterThan(50)
  expect(sends).toBeLessThan(2_000)
})

test('after so many more sends at the same rates it is settled, and one fewer is not enough', () => {
  const list = [arm(10, 100), arm(15, 100)]
  const sends = sendsToSettle(list, [1, 1]) ?? 0
  const after = (more: number) =>
    Math.max(
      ...probabilitiesBest(
        list.map(({ successes, trials }) => ({
          successes: successes + (more / 2) * ((successes + 1) / (trials + 2)),
          trials: trials + more / 2,
        })),
      ),
    )
  expect(after(sends)).toBeGreaterThanOrEqual(SETTLED)
  expect(after(sends - 1)).toBeLessThan(SETTLED)
})

test('weights follow the probability of being best, and an arm that its owner switched off stays off', () => {
  expect(
    thompsonWeights([
      { ...arm(10, 200), weight: 1 },
      { ...arm(40, 200), weight: 1 },
    ]),
  ).toEqual([5, 95])
  expect(
    thompsonWeights([
      { ...arm(10, 200), weight: 7 },
      { ...arm(10, 200), weight: 1 },
    ]),
  ).toEqual([50, 50])
  expect(
    thompsonWeights([
      { ...arm(10, 200), weight: 1 },
      { ...arm(90, 200), weight: 0 },
      { ...arm(11, 200), weight: 1 },
    ]),
  ).toEqual([42, 0, 58])
  expect(
    thompsonWeights([
      { ...arm(1, 2), weight: 30 },
      { ...arm(1, 2), weight: 0 },
    ]),
  ).toEqual([30, 0])
})

test('weights add up to 100, keep at least 5 for each that is in use, and are the same each time', () => {
  const weighted = arms.chain((list) =>
    fc
      .array(fc.integer({ min: 0, max: 100 }), { minLength: list.length, maxLength: list.length })
      .map((weights) => list.map((each, index) => ({ ...each, weight: weights[index] ?? 0 }))),
  )
  fc.assert(
    fc.property(weighted, (list) => {
      const weights = thompsonWeights(list)
      expect(thompsonWeights(list)).toEqual(weights)
      for (const [index, each] of list.entries())
        if (each.weight === 0) expect(weights[index]).toBe(0)
        else if (list.filter(({ weight }) => weight > 0).length > 1)
          expect(weights[index]).toBeGreaterThanOrEqual(5)
      if (list.filter(({ weight }) => weight > 0).length > 1)
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(100)
    }),
    { numRuns: 60 },
  )
})
