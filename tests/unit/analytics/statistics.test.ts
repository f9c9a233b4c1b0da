import fc from 'fast-check'
import { expect, test } from 'vitest'
import { betaCurve, betaQuantile, logGamma, rateWithInterval } from '#lib/domain/analytics/statistics'

// Reference values by SciPy 1.17 (scipy.special.gammaln, scipy.special.betainc, scipy.stats.beta.ppf).
test.each([
  [0.5, 0.5723649429247001],
  [1, 0],
  [5, 3.1780538303479458],
  [101.5, 366.0456981952767],
  [1e6, 12815504.569147611],
])('ln gamma of %d is %d', (x, expected) => {
  expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-13 * Math.max(10, expected))
})

test.each([
  [0.03, 6, 96, 0.08387637085206291],
  [0.03, 2, 3, 0.0051864300000000006],
  [0.03, 51, 951, 0.00024216125284080216],
  [0.03, 1, 21, 0.47251948736105515],
  [0.03, 3001, 97001, 0.4953657296934316],
])('a Beta variable is at most %d with (%d, %d) with probability %d', (x, a, b, expected) => {
  expect(betaCurve(a, b).cdf(x)).toBeCloseTo(expected, 9)
})

test.each([
  [5, 100, 0.022110572409418053, 0.11175505863466603],
  [1, 3, 0.06758598648854294, 0.8058795503167565],
  [50, 1000, 0.03816683365052648, 0.06532569368110479],
  [3000, 100_000, 0.028960897124333362, 0.031075707884523223],
  [0, 20, 0, 0.13294591102652337],
  [20, 20, 0.8670540889734766, 1],
])('%d of %d lies between %d and %d', (numerator, denominator, low, high) => {
  const rate = rateWithInterval(numerator, denominator)
  expect(rate).toMatchObject({ numerator, denominator, rate: numerator / denominator })
  expect(rate.low).toBeCloseTo(low, 9)
  expect(rate.high).toBeCloseTo(high, 9)
})

test('without trials nothing is said', () => {
  expect(rateWithInterval(0, 0)).toEqual({ numerator: 0, denominator: 0, rate: null, low: null, high: null })
})

const counts = fc
  .tuple(fc.integer({ min: 1, max: 200_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([trials, share]) => ({ trials, successes: Math.round(trials * share) }))

test('the interval holds the rate, lies in [0, 1] and shrinks as the same rate is seen ten times as often', () => {
  fc.assert(
    fc.property(counts, ({ successes, trials }) => {
      const once = rateWithInterval(successes, trials)
      const often = rateWithInterval(successes * 10, trials * 10)
      expect(once.low).toBeGreaterThanOrEqual(0)
      expect(once.high).toBeLessThanOrEqual(1)
      expect(once.low).toBeLessThanOrEqual(once.rate ?? -1)
      expect(once.high).toBeGreaterThanOrEqual(once.rate ?? 2)
      expect((often.high ?? 0) - (often.low ?? 0)).toBeLessThan((once.high ?? 0) - (once.low ?? 0))
    }),
  )
})

test('quantiles undo the distribution, which rises with its density', () => {
  const parameter = fc.integer({ min: 1, max: 50_000 })
  fc.assert(
    fc.property(parameter, parameter, fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (a, b, p) => {
      const x = betaQuantile(p, a, b)
      expect(betaCurve(a, b).cdf(x)).toBeCloseTo(p, 8)
      const step = 1e-4 * Math.min(x, 1 - x) * Math.min(1, 1 / Math.sqrt(a + b))
      const [above, below] = [x + step, x - step]
      const expected = (above - below) * betaCurve(a, b).density(x)
      // The parameters multiply the rounding error of a logarithm: that much is tolerated.
      const rounding = 1e-15 * (a + b)
      expect(Math.abs(betaCurve(a, b).cdf(above) - betaCurve(a, b).cdf(below) - expected)).toBeLessThan(
        0.005 * expected + rounding,
      )
    }),
  )
})

test('the distribution of successes mirrors that of failures', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 1, max: 9_999 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b, x) => {
        expect(betaCurve(a, b).cdf(x) + betaCurve(b, a).cdf(1 - x)).toBeCloseTo(1, 9)
      },
    ),
  )
})
