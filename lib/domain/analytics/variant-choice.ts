import { betaCurve, betaQuantile, type Counts, posterior } from '#lib/domain/analytics/statistics'

/** The 8 Gauss–Legendre nodes on [−1, 1] and their weights: exact for polynomials up to degree 15. */
const NODES = [0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363]
const WEIGHTS = [0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763]
const PANELS = 6
const PRECISION = 1e-10
const MOST_HALVINGS = 20
/** Probability mass outside these quantiles does not affect any result. */
const TAIL = 1e-12

/** A comparison counts as settled from this probability on. */
export const SETTLED = 0.95
/** A comparison that would need more sends than this is not predicted. */
const MOST_SENDS = 1_000_000
const LEAST_SHARE = 5

/** For each arm, the probability that its true rate is the highest: ∫ f_i(x) Π F_j(x) dx over all others j. */
export function probabilitiesBest(arms: readonly Counts[]): number[] {
  const raw = arms.map((_, index) => probabilityBest(arms, index))
  const sum = raw.reduce((total, value) => total + value, 0)
  return raw.map((value) => value / sum)
}

function probabilityBest(arms: readonly Counts[], index: number): number {
  const own = arms[index]
  if (!own || arms.length === 1) return 1
  const { a, b } = posterior(own)
  const curve = betaCurve(a, b)
  const others = arms.filter((_, other) => other !== index).map(posterior)
  const curves = others.map((other) => betaCurve(other.a, other.b))
  const low = betaQuantile(TAIL, a, b)
  const width = (betaQuantile(1 - TAIL, a, b) - low) / PANELS
  const integrand = (x: number) => {
    let value = curve.density(x)
    for (const other of curves) value *= value === 0 ? 0 : other.cdf(x)
    return value
  }
  let sum = 0
  for (let panel = 0; panel < PANELS; panel++) {
    const from = low + panel * width
    sum += integral(integrand, from, from + width, gauss(integrand, from, from + width))
  }
  return sum
}

/** Halves the interval until the halves agree with the whole: an arm with far more trials than another has a far steeper curve. */
function integral(f: (x: number) => number, from: number, to: number, whole: number, depth = 0): number {
  const middle = (from + to) / 2
  const left = gauss(f, from, middle)
  const right = gauss(f, middle, to)
  if (depth >= MOST_HALVINGS || Math.abs(left + right - whole) < PRECISION) return left + right
  return integral(f, from, middle, left, depth + 1) + integral(f, middle, to, right, depth + 1)
}

function gauss(f: (x: number) => number, from: number, to: number): number {
  const [middle, half] = [(from + to) / 2, (to - from) / 2]
  let sum = 0
  for (const [place, node] of NODES.entries())
    sum += (WEIGHTS[place] ?? 0) * (f(middle - node * half) + f(middle + node * half))
  return sum * half
}

/**
 * How many more sends, spread over the arms by `shares`, would make the leading arm the best with 95 % probability if the rates
 * stay the same; 0 if that is settled already, null if it would take more than a million.
 */
export function sendsToSettle(arms: readonly Counts[], shares: readonly number[]): number | null {
  if (arms.length < 2) return 0
  const best = probabilitiesBest(arms)
  const leader = best.indexOf(Math.max(...best))
  const whole = shares.reduce((sum, share) => sum + Math.max(0, share), 0)
  const armShare = (index: number) => (whole > 0 ? Math.max(0, shares[index] ?? 0) / whole : 1 / arms.length)
  const isSettledAfter = (sends: number) => {
    const projected = arms.map((arm, index) => {
      const more = sends * armShare(index)
      const { a, b } = posterior(arm)
      return { successes: arm.successes + (more * a) / (a + b), trials: arm.trials + more }
    })
    return probabilityBest(projected, leader) >= SETTLED
  }
  if (isSettledAfter(0)) return 0
  let high = 1
  while (high <= MOST_SENDS && !isSettledAfter(high)) high *= 2
  if (high > MOST_SENDS) return null
  let low = high / 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isSettledAfter(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * Thompson sampling in the limit of many draws: each arm's weight is the probability that it is the best. The draw itself is the
 * hash of (campaign, lead, step) that picks every lead's variant, so the result depends on the counts and the campaign only.
 * Weights add up to 100. An arm of weight 0 was switched off by its owner and stays off; every other arm keeps at least 5, so
 * that it can recover from an unlucky start.
 */
export function thompsonWeights(arms: readonly (Counts & { weight: number })[]): number[] {
  const live = arms.flatMap((arm, index) => (arm.weight > 0 ? [{ ...arm, index }] : []))
  if (live.length < 2) return arms.map((arm) => arm.weight)
  const least = Math.min(LEAST_SHARE, Math.floor(100 / live.length))
  const free = 100 - least * live.length
  const wished = probabilitiesBest(live).map((share) => share * free)
  const whole = wished.map(Math.floor)
  const left = free - whole.reduce((sum, part) => sum + part, 0)
  // The remainder of rounding goes to the arms with the largest fractions, ties to the first.
  const order = wished
    .map((wish, place) => ({ place, remainder: wish - Math.floor(wish) }))
    .sort((one, other) => other.remainder - one.remainder || one.place - other.place)
  for (const { place } of order.slice(0, left)) whole[place] = (whole[place] ?? 0) + 1
  const weights = arms.map((arm) => Math.min(0, arm.weight))
  for (const [place, arm] of live.entries()) weights[arm.index] = least + (whole[place] ?? 0)
  return weights
}
