import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import type { CampaignType } from '#lib/domain/campaigns/campaign-type'
import type { Kind } from './kinds.tsx'

export const MOST_STEPS = 20
export const MOST_DAYS = 365

/** A step with a stable key; its number is only its position. */
export type Item = { key: string; step: StepConfig }

export function newStep(kind: Kind, place: number): StepConfig {
  const isFirst = place === 0
  return {
    step: place + 1,
    delay_days: isFirst ? 0 : kind === 'email' || kind === 'message' ? 3 : 1,
    channel: kind === 'email' ? 'email' : 'social',
    action_type: kind,
    condition: 'always',
    variants: [],
    subject: kind === 'email' && isFirst ? '' : null,
    message_template: '',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  }
}

/**
 * The first step of an empty sequence. In a social campaign it is an invitation, since nobody is connected
 * yet.
 */
export const firstStep = (type: CampaignType): StepConfig =>
  newStep(type === 'social' ? 'connection_request' : 'email', 0)

export const numbered = (items: Item[]): Item[] =>
  items.map((item, index) =>
    item.step.step === index + 1 ? item : { ...item, step: { ...item.step, step: index + 1 } },
  )

export function movedTo<T>(list: T[], from: number, to: number): T[] {
  const next = [...list]
  const [one] = next.splice(from, 1)
  if (one !== undefined) next.splice(to, 0, one)
  return next
}

/** Equal for steps that are the same to the server: ignores key order, and empty equals absent. */
export const serializeSteps = (steps: StepConfig[]): string =>
  JSON.stringify(
    steps.map((step) => ({
      ...step,
      subject: step.subject || null,
      message_template: step.message_template || null,
    })),
    (_key, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
  )

export const sumWeights = (variants: Pick<Variant, 'weight'>[]): number =>
  variants.reduce((sum, { weight }) => sum + weight, 0)

/**
 * Whole percentages in the given proportions that add up to 100; rounding differences go to the largest
 * remainders.
 */
function hundredth(parts: number[]): number[] {
  const sum = parts.reduce((total, part) => total + part, 0)
  if (sum === 0) return parts
  const exact = parts.map((part) => (100 * part) / sum)
  const left = 100 - exact.reduce((total, part) => total + Math.floor(part), 0)
  const order = exact
    .map((part, index) => ({ index, rest: part - Math.floor(part) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
  const more = new Set(order.slice(0, left).map(({ index }) => index))
  return exact.map((part, index) => Math.floor(part) + (more.has(index) ? 1 : 0))
}

function weighed(variants: Variant[], parts: number[]): Variant[] {
  const weights = hundredth(parts)
  return variants.map((variant, index) => ({ ...variant, weight: weights[index] ?? 0 }))
}

export const even = (variants: Variant[]): Variant[] =>
  weighed(
    variants,
    variants.map(() => 1),
  )

/** The API accepts any relative weights; the editor uses percentages. */
export const percents = (variants: Variant[]): Variant[] =>
  weighed(
    variants,
    variants.map(({ weight }) => weight),
  )
