/**
 * Rates of few events, with their uncertainty. A rate of s successes in n trials has the posterior Beta(1 + s, 1 + n − s) (a
 * flat prior). Everything is computed by series and quadrature, never by random draws, so equal counts always give equal
 * results.
 */

/** Counts of an event; `successes` may be a fraction if the counts are projected. */
export interface Counts {
  successes: number
  trials: number
}

export interface Rate {
  numerator: number
  denominator: number
  /** Null without trials. */
  rate: number | null
  /** The 95 % credible interval of the true rate; null without trials. */
  low: number | null
  high: number | null
}

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** ln Γ(x) for x ≥ 0.5 (Lanczos, g = 7), to 15 digits. */
export function logGamma(x: number): number {
  const z = x - 1
  let sum = LANCZOS[0] ?? 0
  for (let index = 1; index < LANCZOS.length; index++) sum += (LANCZOS[index] ?? 0) / (z + index)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)

/** Beta(a, b) for many values of x: the part that does not depend on x, three logarithms of Γ, is computed once. */
export function betaCurve(a: number, b: number) {
  const scale = logBeta(a, b)
  return {
    density: (x: number): number => {
      if (x < 0 || x > 1) return 0
      // At the ends, 0 · ln 0 counts as 0: with a = 1 the density at 0 is finite.
      const left = a === 1 ? 0 : (a - 1) * Math.log(x)
      const right = b === 1 ? 0 : (b - 1) * Math.log1p(-x)
      return Math.exp(left + right - scale)
    },
    /** The probability of at most x: the regularised incomplete beta function, by continued fraction. */
    cdf: (x: number): number => {
      if (x <= 0) return 0
      if (x >= 1) return 1
      const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - scale)
      // Each side converges fast only below its mean.
      return x < (a + 1) / (a + b + 2)
        ? (front * continuedFraction(x, a, b)) / a
        : 1 - (front * continuedFraction(1 - x, b, a)) / b
    },
  }
}

/** The modified Lentz method; takes about the square root of the larger parameter in steps (Numerical Recipes, 6.4). */
function continuedFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const most = 200 + 10 * Math.ceil(Math.sqrt(Math.max(a, b)))
  const apart = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1))
  let sum = d
  for (let m = 1; m <= most; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / apart(1 + even * d)
    c = apart(1 + even / c)
    sum *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / apart(1 + odd * d)
    c = apart(1 + odd / c)
    const change = d * c
    sum *= change
    if (Math.abs(change - 1) < 1e-15) break
  }
  return sum
}

/** The quantile p of Beta(a, b), by Halley's method inside a shrinking bracket. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0
  if (p >= 1) return 1
  let low = 0
  let high = 1
  let x = nearQuantile(p, a, b)
  const curve = betaCurve(a, b)
  const spread = Math.sqrt((a * b) / (a + b + 1)) / (a + b)
  for (let step = 0; step < 200; step++) {
    const error = curve.cdf(x) - p
    if (error > 0) high = x
    else low = x
    const newton = error / curve.density(x)
    const bend = newton * ((a - 1) / x - (b - 1) / (1 - x))
    const next = x - newton / (1 - 0.5 * Math.max(-1, Math.min(1, bend)))
    // Each step cubes the error: below this it is smaller than any digit of x.
    if (Math.abs(next - x) <= 1e-6 * Math.min(x, 1 - x, spread)) return next
    x = next > low && next < high ? next : (low + high) / 2
    if (x === low || x === high) return x
  }
  return x
}

/** A starting value, within a few percent if both parameters are above 1 (Abramowitz and Stegun, 26.5.22). */
function nearQuantile(p: number, a: number, b: number): number {
  if (a <= 1 || b <= 1) return a / (a + b)
  const z = normalQuantile(p)
  const lambda = (z * z - 3) / 6
  const [left, right] = [1 / (2 * a - 1), 1 / (2 * b - 1)]
  const h = 2 / (left + right)
  const w = (z * Math.sqrt(h + lambda)) / h + (right - left) * (lambda + 5 / 6 - 2 / (3 * h))
  const x = a / (a + b * Math.exp(2 * w))
  return x > 0 && x < 1 ? x : a / (a + b)
}

/** The normal quantile of 1 − p to three digits, enough for a starting value (26.2.23). */
function normalQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)))
  const z =
    t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  return p < 0.5 ? z : -z
}

/** The posterior's parameters. Impossible counts, such as more successes than trials, are clamped. */
export function posterior({ successes, trials }: Counts): { a: number; b: number } {
  const n = Math.max(0, trials)
  const s = Math.min(Math.max(0, successes), n)
  return { a: 1 + s, b: 1 + n - s }
}

/** A rate with both its counts and its 95 % credible interval. */
export function rateWithInterval(numerator: number, denominator: number): Rate {
  if (denominator <= 0) return { numerator, denominator, rate: null, low: null, high: null }
  const { a, b } = posterior({ successes: numerator, trials: denominator })
  return {
    numerator,
    denominator,
    rate: numerator / denominator,
    // If nothing or everything succeeded, the posterior is one-sided: the interval then is too, so that it contains the rate.
    low: numerator === 0 ? 0 : betaQuantile(numerator === denominator ? 0.05 : 0.025, a, b),
    high: numerator === denominator ? 1 : betaQuantile(numerator === 0 ? 0.95 : 0.975, a, b),
  }
}
