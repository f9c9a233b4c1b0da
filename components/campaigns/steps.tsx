import type { StepConfig, Variant } from '#lib/contracts/steps'

export function emailStep(number: number): StepConfig {
  return {
    step: number,
    delay_days: number === 1 ? 0 : 3,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: [],
    subject: number === 1 ? '' : null,
    message_template: '',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  }
}

export const numbered = (steps: StepConfig[]): StepConfig[] =>
  steps.map((step, index) => ({ ...step, step: index + 1 }))

export function moved(steps: StepConfig[], from: number, by: number): StepConfig[] {
  const next = [...steps]
  const [step] = next.splice(from, 1)
  if (step) next.splice(from + by, 0, step)
  return next
}

/** A, B, C … the first letter that no variant has yet. */
export function newVariant(variants: Variant[], template_id: string | null): Variant {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const label = letters.find((letter) => variants.every((variant) => variant.label !== letter)) ?? 'Z'
  return { label, weight: 1, type: 'TEMPLATE', template_id, sender_profile_id: null }
}

/** Weights are relative; this is what a weight means among its neighbours, in whole percent. */
export function shareOf(variant: Variant, variants: Variant[]): number {
  const sum = variants.reduce((total, one) => total + one.weight, 0)
  return sum === 0 ? 0 : Math.round((100 * variant.weight) / sum)
}
