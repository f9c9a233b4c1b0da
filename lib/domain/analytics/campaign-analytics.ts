import { trackedRates } from '#lib/domain/analytics/campaign-rates'
import {
  acceptanceRates,
  countReasons,
  type InvitedGroup,
  type SkipGroup,
} from '#lib/domain/analytics/social-analytics'
import { rateWithInterval } from '#lib/domain/analytics/statistics'
import { probabilitiesBest, SETTLED, sendsToSettle } from '#lib/domain/analytics/variant-choice'
import { countingSchedule, type ScheduleRules, upcomingWindow } from '#lib/domain/calendar/schedule'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import type { Channel } from '#lib/domain/campaigns/step-conditions'

type Ending = 'replied' | 'bounced' | 'unsubscribed'

/** The number of actions with the same step, variant, status and day. `at` is an instant of that day: epoch milliseconds. */
export interface ActionGroup {
  step: number
  variant_label: string | null
  status: 'sent' | 'uncertain' | 'failed' | 'skipped'
  at: number
  count: number
}

/** Leads that ended after an action of that step, variant and day. */
export interface EndingGroup {
  step: number
  variant_label: string | null
  ending: Ending
  /** The action itself was refused because of the address, so it is not counted as `sent`. */
  refused: boolean
  at: number
  count: number
}

/** Messages of that step and variant that a person opened or clicked. */
export interface TrackedGroup {
  step: number
  variant_label: string | null
  opened: number
  clicked: number
}

export interface AnalysedStep {
  step: number
  channel: Channel
  action_type: string
  condition?: string | null
  track_opens?: boolean
  track_clicks?: boolean
  variants: readonly { label: string; weight: number }[]
}

export type AnalysedCampaign = ScheduleRules & { steps_config: readonly AnalysedStep[] }

const ZERO = {
  sent: 0,
  uncertain: 0,
  failed: 0,
  skipped: 0,
  replied: 0,
  bounced: 0,
  unsubscribed: 0,
  refused: 0,
}
type Tally = typeof ZERO

/** Sums per key, over both kinds of groups. */
function tally<K>(
  actions: readonly ActionGroup[],
  endings: readonly EndingGroup[],
  toKey: (group: ActionGroup | EndingGroup) => K,
): Map<K, Tally> {
  const sums = new Map<K, Tally>()
  const tallyAt = (key: K) => {
    const sum = sums.get(key) ?? { ...ZERO }
    sums.set(key, sum)
    return sum
  }
  for (const group of actions) tallyAt(toKey(group))[group.status] += group.count
  for (const group of endings) {
    const sum = tallyAt(toKey(group))
    sum[group.ending] += group.count
    if (group.refused) sum.refused += group.count
  }
  return sums
}

const toCounts = ({ refused: _, ...counts }: Tally) => counts
const countLeft = ({ sent, uncertain }: Tally) => sent + uncertain

/** The rates of one step, each with both counts. Null for bounces and unsubscribes of a social step, which cannot occur there. */
function computeRates(channel: Channel | undefined, sum: Tally) {
  const left = countLeft(sum)
  const isMail = channel !== 'social'
  return {
    reply_rate: rateWithInterval(sum.replied, left),
    bounce_rate: isMail ? rateWithInterval(sum.bounced, left + sum.refused) : null,
    unsubscribe_rate: isMail ? rateWithInterval(sum.unsubscribed, left) : null,
  }
}

/** The open and click rates of one step, or of one of its variants. */
function ratesOfTracked(
  config: AnalysedStep | undefined,
  groups: readonly TrackedGroup[],
  sum: Tally,
  label?: string,
) {
  const own = groups.filter(
    (group) => group.step === config?.step && (label === undefined || group.variant_label === label),
  )
  const people = (kind: 'opened' | 'clicked') => own.reduce((total, group) => total + group[kind], 0)
  const tracked = countLeft(sum)
  return trackedRates(
    config?.track_opens ? { people: people('opened'), tracked } : null,
    config?.track_clicks ? { people: people('clicked'), tracked } : null,
  )
}

/**
 * Facts about steps besides the ledger: opens and clicks, accepted invitations, reasons for skips, and how many leads have a
 * step as their next one.
 */
type Known = {
  waiting: ReadonlyMap<number, number>
  tracked: readonly TrackedGroup[]
  invited: readonly InvitedGroup[]
  skips: readonly SkipGroup[]
}

/** One entry per step that is configured or was ever performed, in order. */
export function stepAnalytics(
  campaign: AnalysedCampaign,
  actions: readonly ActionGroup[],
  endings: readonly EndingGroup[],
  known: Known,
) {
  const sums = tally(actions, endings, (group) => group.step)
  const steps = new Set([...campaign.steps_config.map((config) => config.step), ...sums.keys()])
  return [...steps]
    .sort((one, other) => one - other)
    .map((step) => {
      const config = campaign.steps_config.find((candidate) => candidate.step === step)
      const sum = sums.get(step) ?? ZERO
      const ofStep = (group: ActionGroup | EndingGroup) => group.step === step && group.variant_label !== null
      const byVariant = tally(
        actions.filter(ofStep),
        endings.filter(ofStep),
        (group) => group.variant_label ?? '',
      )
      const action_type = config ? stepAction(config) : null
      return {
        step,
        channel: config?.channel ?? null,
        action_type,
        ...toCounts(sum),
        waiting: known.waiting.get(step) ?? 0,
        ...computeRates(config?.channel, sum),
        ...ratesOfTracked(config, known.tracked, sum),
        ...acceptanceRates({ step, action_type }, known.invited, countLeft(sum)),
        skip_reasons: countReasons({ step, condition: config?.condition, skipped: sum.skipped }, known.skips),
        ...variantAnalytics({ config, step }, byVariant, known),
      }
    })
}

/** The variants of one step, and which of those in use gets the most replies. */
function variantAnalytics(
  { config, step }: { config: AnalysedStep | undefined; step: number },
  sums: ReadonlyMap<string, Tally>,
  { tracked, invited }: Known,
) {
  const variants = config?.variants ?? []
  const used = variants
    .filter((variant) => variant.weight > 0)
    .map((variant) => ({ ...variant, ...toArm(sums.get(variant.label) ?? ZERO) }))
  const best = used.length > 1 ? probabilitiesBest(used) : []
  const leader = best.indexOf(Math.max(...best))
  const labels = new Set([...variants.map((variant) => variant.label), ...sums.keys()])
  return {
    variants: [...labels].map((label) => {
      const sum = sums.get(label) ?? ZERO
      return {
        label,
        weight: variants.find((variant) => variant.label === label)?.weight ?? null,
        ...toCounts(sum),
        ...computeRates(config?.channel, sum),
        ...ratesOfTracked(config, tracked, sum, label),
        ...acceptanceRates(
          { step, action_type: config ? stepAction(config) : null },
          invited,
          countLeft(sum),
          label,
        ),
        probability_best: best[used.findIndex((variant) => variant.label === label)] ?? null,
      }
    }),
    comparison:
      leader < 0
        ? null
        : {
            leader: used[leader]?.label ?? '',
            probability: best[leader] ?? 0,
            settled: (best[leader] ?? 0) >= SETTLED,
            more_sends: sendsToSettle(
              used,
              used.map((variant) => variant.weight),
            ),
          },
  }
}

const toArm = (sum: Tally) => ({ successes: sum.replied, trials: countLeft(sum) })

/** Counts per window day. An action outside every window of the current settings (they were edited since) counts for its local date. */
export function dayAnalytics(
  campaign: AnalysedCampaign,
  actions: readonly ActionGroup[],
  endings: readonly EndingGroup[],
) {
  const dayAt = readDays(campaign)
  return [...tally(actions, endings, (group) => dayAt(group.at))]
    .sort(([one], [other]) => one - other)
    .map(([day, sum]) => ({
      date: formatDay(day),
      ...toCounts(sum),
      reply_rate: rateWithInterval(sum.replied, countLeft(sum)),
    }))
}

/** Maps instants to their window days. Fastest in ascending order, since the current window or gap is cached. */
function readDays(campaign: AnalysedCampaign): (at: number) => number {
  const schedule = countingSchedule(campaign)
  const zone = loadZone(campaign.timezone)
  let closed = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  return (at) => {
    if (at >= closed.from && at < closed.until) return toDay(zone, at)
    const window = upcomingWindow(schedule, at)
    if (window && window.opens_at <= at) return window.day
    closed = { from: at, until: window?.opens_at ?? Number.POSITIVE_INFINITY }
    return toDay(zone, at)
  }
}

/** Successes and trials of each variant in use of one step, for choosing weights. */
export function variantArms(
  config: AnalysedStep,
  actions: readonly ActionGroup[],
  endings: readonly EndingGroup[],
) {
  const ofStep = (group: ActionGroup | EndingGroup) => group.step === config.step
  const sums = tally(actions.filter(ofStep), endings.filter(ofStep), (group) => group.variant_label)
  return config.variants.map((variant) => ({
    ...variant,
    ...toArm(sums.get(variant.label) ?? ZERO),
  }))
}
