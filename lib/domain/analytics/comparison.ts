import { type Rate, rateWithInterval } from '#lib/domain/analytics/statistics'
import { probabilitiesBest, SETTLED } from '#lib/domain/analytics/variant-choice'

/** The measures of a comparison of two campaigns. The higher rate is better, except for those that are `unwanted`. */
export const MEASURES = [
  { name: 'delivered', unwanted: false },
  { name: 'opened', unwanted: false },
  { name: 'clicked', unwanted: false },
  { name: 'replied', unwanted: false },
  { name: 'interested', unwanted: false },
  { name: 'bounced', unwanted: true },
  { name: 'unsubscribed', unwanted: true },
] as const
export type Measure = (typeof MEASURES)[number]['name']

/** Which of the two is better, and with what probability; null if either was not measured. */
function compareRates(own: Rate | null, other: Rate | null, unwanted: boolean) {
  if (own?.rate == null || other?.rate == null) return null
  const [ownHigher = 0] = probabilitiesBest(
    [own, other].map(({ numerator, denominator }) => ({ successes: numerator, trials: denominator })),
  )
  const ownBetter = unwanted ? 1 - ownHigher : ownHigher
  const probability = Math.max(ownBetter, 1 - ownBetter)
  return {
    difference: own.rate - other.rate,
    better: ownBetter >= 0.5 ? ('campaign' as const) : ('compare_to' as const),
    probability,
    settled: probability >= SETTLED,
  }
}

type Rates = Record<Measure, Rate | null>

export const compareMeasures = (campaign: Rates, compare_to: Rates) =>
  MEASURES.map(({ name, unwanted }) => ({
    name,
    campaign: campaign[name],
    compare_to: compare_to[name],
    verdict: compareRates(campaign[name], compare_to[name], unwanted),
  }))

/** The share of emails sent that did not bounce. */
export const deliveredRate = (bounced: Rate): Rate =>
  rateWithInterval(bounced.denominator - bounced.numerator, bounced.denominator)

interface Day {
  date: string
  sent: number
  replied: number
}

const MOST_DAYS = 366
const DAY_MS = 86_400_000

/** By whole days since the launch, which is day 0, up to the last day on which something was sent. */
export function daysSince(launchDate: string, days: readonly Day[]) {
  const known = days.map((day) => ({
    ...day,
    // A window over midnight may begin on the day before the launch.
    day: Math.max(0, Math.round((Date.parse(day.date) - Date.parse(launchDate)) / DAY_MS)),
  }))
  const count = Math.min(MOST_DAYS, Math.max(-1, ...known.map(({ day }) => day)) + 1)
  const sums = Array.from({ length: count }, () => ({ sent: 0, replied: 0 }))
  for (const { day, sent, replied } of known) {
    const sum = sums[day]
    if (!sum) continue
    sum.sent += sent
    sum.replied += replied
  }
  return sums
}
