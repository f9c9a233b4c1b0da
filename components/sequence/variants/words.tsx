import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import { writtenText } from '#lib/domain/campaigns/step-text'
import type { MessageTemplate } from '#lib/domain/messages/template'
import { even, percents, sumWeights } from '../steps.tsx'

export const MOST_VARIANTS = 26
const LETTERS = Array.from({ length: MOST_VARIANTS }, (_, index) => String.fromCharCode(65 + index))

/** The only variant of a step without variants. */
const only = ({ subject, message_template }: StepConfig): Variant => ({
  label: 'A',
  weight: 100,
  type: 'TEMPLATE',
  template_id: null,
  sender_profile_id: null,
  subject,
  message_template: message_template ?? '',
})

const isEven = (variants: Variant[]) => {
  const weights = variants.map(({ weight }) => weight)
  return Math.max(...weights) - Math.min(...weights) <= 1
}

/** Gives each variant its own text, so that changing one does not change another. */
const ownWords = (step: StepConfig): Variant[] =>
  step.variants.length === 0
    ? [only(step)]
    : step.variants.map((variant) =>
        variant.template_id ? variant : { ...variant, ...writtenText(step, variant) },
      )

/** Only variants without a text of their own use the step's text. */
const spread = (step: StepConfig, variants: Variant[]): StepConfig => ({
  ...step,
  subject: null,
  message_template: '',
  variants,
})

/** A single variant with nothing but a text becomes the step's text. */
function settled(step: StepConfig): StepConfig {
  const [variant, ...others] = step.variants
  if (!variant || others.length > 0 || variant.template_id || variant.sender_profile_id) return step
  return variant.type === 'AI' ? step : { ...step, ...writtenText(step, variant), variants: [] }
}

/** Absent if the step has no variants. */
export const shownVariant = (step: StepConfig, label: string | null): Variant | undefined =>
  step.variants.find((variant) => variant.label === label) ?? step.variants[0]

/** Copies the shown variant under the next free letter; equal shares stay equal. */
export function withVariant(step: StepConfig, label: string | null): { step: StepConfig; label: string } {
  const variants = ownWords(step)
  const fresh = LETTERS.find((letter) => variants.every((variant) => variant.label !== letter)) ?? 'Z'
  const copied = variants.find((variant) => variant.label === label) ?? variants[0] ?? only(step)
  const all = [...variants, { ...copied, label: fresh, weight: 0 }]
  return { step: spread(step, isEven(variants) ? even(all) : all), label: fresh }
}

/** The remaining variants share its weight in proportion. */
export function withoutVariant(step: StepConfig, label: string): StepConfig {
  const rest = ownWords(step).filter((variant) => variant.label !== label)
  return settled(spread(step, sumWeights(rest) === 0 ? even(rest) : percents(rest)))
}

/** The text a lead gets in a variant, or from a step without variants. */
export function messageIn(step: StepConfig, variant: Variant | undefined) {
  const { subject, message_template } = writtenText(step, variant)
  return { subject: subject ?? '', body: message_template ?? '' }
}

export function withMessage(
  step: StepConfig,
  label: string | undefined,
  { subject, body }: { subject: string; body: string },
): StepConfig {
  if (label === undefined) return { ...step, subject: subject || null, message_template: body }
  const variants = ownWords(step).map((variant) =>
    variant.label === label ? { ...variant, subject, message_template: body } : variant,
  )
  return spread(step, variants)
}

const changed = (step: StepConfig, label: string | undefined, part: Partial<Variant>): StepConfig =>
  spread(
    step,
    ownWords(step).map((variant) =>
      variant.label === (label ?? variant.label) ? { ...variant, ...part } : variant,
    ),
  )

/** Sets a variant's sender profile or text source. */
export const withPart = (step: StepConfig, label: string | undefined, part: Partial<Variant>): StepConfig =>
  settled(changed(step, label, part))

/**
 * Uses a template from now on; null: uses a text written here, the previous one or else a copy of the
 * template's.
 */
export function withTemplate(
  step: StepConfig,
  label: string | undefined,
  template_id: string | null,
  templates: StepTemplate[],
): StepConfig {
  const variant = step.variants.find((one) => one.label === label)
  if (template_id !== null) return changed(step, label, { template_id })
  const words = templates.find((one) => one.template_id === variant?.template_id)?.content
  const isWritten = Boolean(variant?.message_template?.trim())
  return withPart(step, label, { template_id: null, ...(words && !isWritten ? asWritten(words) : {}) })
}

/** Copies the template's text so that it can be changed here. */
export const withCopied = (step: StepConfig, label: string | undefined, words: MessageTemplate): StepConfig =>
  withPart(step, label, { template_id: null, ...asWritten(words) })

const asWritten = ({ subject, body }: MessageTemplate) => ({ subject: subject ?? '', message_template: body })
