import { createHash } from 'node:crypto'
import { textCells } from '#lib/domain/personalization/material'

type Variant = { type: 'TEMPLATE' | 'AI'; weight: number }
type Step = { ai_personalization_enabled: boolean; variants: readonly Variant[] }

/**
 * Whether the text of a step is a model's for whoever gets this variant. Where some variants are AI, the others are what
 * they are compared with and stay as written; a step switched to AI without such a variant is AI as a whole.
 */
export function isAiText(step: Step, variant: Pick<Variant, 'type'> | null): boolean {
  if (variant?.type === 'AI') return true
  return step.ai_personalization_enabled && !step.variants.some(({ type }) => type === 'AI')
}

export const isAiStep = (step: Step): boolean =>
  step.ai_personalization_enabled || step.variants.some(({ type, weight }) => type === 'AI' && weight > 0)

/** What was approved: the words, and the lead they were written for. In hex. */
export function sealOf(
  text: { subject: string | null; body: string | null },
  lead: Record<string, unknown>,
): string {
  const cells = Object.entries(textCells(lead)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([text.subject ?? '', text.body ?? '', cells]))
    .digest('hex')
}

export type ApprovedText = { subject: string | null; body: string; seal: string }

export type TextChoice =
  | { use: 'default' }
  | { use: 'approved'; text: ApprovedText }
  | { use: 'held'; reason: string }

/**
 * Which words an AI step has for a lead. Approved ones leave exactly as they were seen, and only while the lead is what it was;
 * without any the campaign's policy decides: `launch_default` sends the step's own text, everything else waits.
 */
export function chooseText(
  approved: ApprovedText | null,
  lead: Record<string, unknown>,
  policy: 'launch_default' | 'hold' | 'cancel',
): TextChoice {
  if (approved)
    return sealOf(approved, lead) === approved.seal
      ? { use: 'approved', text: approved }
      : {
          use: 'held',
          reason: 'The lead’s data changed after its text was approved; look at the text again.',
        }
  if (policy === 'launch_default') return { use: 'default' }
  return { use: 'held', reason: 'No approved text yet, and the campaign waits for one.' }
}
