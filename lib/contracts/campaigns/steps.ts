import { z } from 'zod'
import { emptyOrText, id, text } from '#lib/contracts/fields'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { STEP_CONDITIONS } from '#lib/domain/campaigns/step-conditions'
import { leanTexts } from '#lib/domain/messages/lean-html'
import { SOCIAL_ACTION_TYPES } from '#lib/domain/social/social-limits'

export const CHANNELS = ['email', 'social'] as const
export const ACTION_TYPES = ['email', ...SOCIAL_ACTION_TYPES] as const

const Variant = z
  .object({
    label: z.string(),
    weight: z.int(),
    type: z.enum(['TEMPLATE', 'AI']),
    template_id: id().nullable(),
    sender_profile_id: id().nullable(),
    subject: z.string().nullable().default(null).describe('Its own subject. Null: the step’s.'),
    message_template: z
      .string()
      .nullable()
      .default(null)
      .describe('Its own text, used if it has no template. Null: the step’s.'),
  })
  .meta({ id: 'Variant' })
export type Variant = z.output<typeof Variant>

/** One step as it is stored and returned. */
export const StepConfig = z
  .object({
    step: z.int().describe('1…n, in order.'),
    delay_days: z
      .int()
      .describe('Calendar days after the lead’s previous step. For the first step: after launch.'),
    channel: z.enum(CHANNELS),
    action_type: z
      .enum(ACTION_TYPES)
      .describe('What a social step does. An email step always sends an email, whatever this value is.'),
    condition: z.enum(STEP_CONDITIONS),
    variants: z.array(Variant),
    subject: z.string().nullable().describe('For `message_template`. Null: the thread’s `Re:`.'),
    message_template: z
      .string()
      .nullable()
      .describe(
        'Inline text, used if a variant has neither a template nor its own text. Plain text, or HTML for email. See a template’s body.',
      ),
    ai_personalization_enabled: z.boolean(),
    track_clicks: z.boolean().describe('Web links in the HTML part redirect through this instance.'),
    track_opens: z
      .boolean()
      .default(false)
      .describe(
        'Adds an invisible image to the HTML part. It hurts deliverability, and many opens come from machines.',
      ),
  })
  .meta({ id: 'StepConfig' })
export type StepConfig = z.output<typeof StepConfig>

const VariantInput = z.object({
  label: text(1, 50).nullish().describe('Default: the next free letter.'),
  weight: z.int().min(0).max(100).default(1).describe('A relative share. Any positive sum.'),
  type: z.enum(['TEMPLATE', 'AI']).default('TEMPLATE'),
  template_id: id().nullable().default(null),
  sender_profile_id: id().nullable().default(null),
  subject: emptyOrText(998).nullable().default(null),
  message_template: emptyOrText(100_000).nullable().default(null),
})

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))

/** A variant without a label gets the first free letter. */
function labelled<T extends { label?: string | null | undefined }>(list: T[]): (T & { label: string })[] {
  const taken = new Set(list.flatMap(({ label }) => label ?? []))
  return list.map((variant) => {
    const label = variant.label ?? LETTERS.find((letter) => !taken.has(letter)) ?? ''
    taken.add(label)
    return { ...variant, label }
  })
}

const variants = z
  .array(VariantInput)
  .max(26)
  .default([])
  .transform(labelled)
  .superRefine((list, context) => {
    if (list.length > 0 && list.every((variant) => variant.weight === 0))
      context.addIssue({ code: 'custom', message: 'the weights of the variants must have a positive sum' })
    if (new Set(list.map((variant) => variant.label)).size < list.length)
      context.addIssue({ code: 'custom', message: 'the labels of the variants must differ' })
  })

const NOTE_MAX = 300

const StepInput = z
  .object({
    step: z.int().min(1).max(20).optional().describe('Default: its position in the list.'),
    delay_days: z.int().min(0).max(365).default(0),
    channel: z.enum(CHANNELS).default('email'),
    action_type: z
      .enum(ACTION_TYPES)
      .optional()
      .describe(
        'Default: email, or message on a social channel. The channel decides what happens: an email step sends an email and keeps this value as given.',
      ),
    condition: z.enum(STEP_CONDITIONS).default('always'),
    variants,
    subject: emptyOrText(998).nullable().default(null),
    message_template: emptyOrText(100_000).nullable().default(null),
    ai_personalization_enabled: z.boolean().default(false),
    track_clicks: z.boolean().default(false),
    track_opens: z.boolean().default(false),
  })
  .transform((step) => ({
    ...step,
    action_type: step.action_type ?? (step.channel === 'email' ? 'email' : 'message'),
    ...leanTexts(step),
  }))
  .superRefine((step, context) => {
    if (step.channel === 'social' && step.action_type === 'email')
      context.addIssue({ code: 'custom', path: ['action_type'], message: 'does not go with channel social' })
    if (stepAction(step) !== 'connection_request') return
    const notes = [
      { text: step.message_template, path: ['message_template'] },
      ...step.variants.map(({ message_template: text }, place) => ({
        text,
        path: ['variants', place, 'message_template'],
      })),
    ]
    for (const { text, path } of notes)
      if (text && text.length > NOTE_MAX)
        context.addIssue({
          code: 'custom',
          path,
          message: `a connection note has at most ${NOTE_MAX} characters`,
        })
  })

/** At most 20 steps, numbered 1…n in the order of the list. */
export const StepsConfig = z
  .array(StepInput)
  .max(20)
  .superRefine((steps, context) => {
    steps.forEach((step, index) => {
      if (step.step !== undefined && step.step !== index + 1)
        context.addIssue({
          code: 'custom',
          path: [index, 'step'],
          message: `must be ${index + 1}: steps are numbered in order`,
        })
    })
  })
  .transform((steps): StepConfig[] => steps.map((step, index) => ({ ...step, step: index + 1 })))
