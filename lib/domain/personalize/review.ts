import { createHash } from 'node:crypto'
import { textCells } from '#lib/domain/personalize/material'
import { ownValue } from '#lib/domain/text/own-value'

type Variant = { type: 'TEMPLATE' | 'AI'; weight: number }
type Step = { ai_personalization_enabled: boolean; variants: readonly Variant[] }

/**
 * Whether a variant's text of a step is written by a model. If some variants are AI, the others are what they are compared with
 * and stay as written; a step switched to AI without such a variant is AI as a whole.
 */
export function isAiText(step: Step, variant: Pick<Variant, 'type'> | null): boolean {
  if (variant?.type === 'AI') return true
  return step.ai_personalization_enabled && !step.variants.some(({ type }) => type === 'AI')
}

export const isAiStep = (step: Step): boolean =>
  step.ai_personalization_enabled || step.variants.some(({ type, weight }) => type === 'AI' && weight > 0)

type Text = { subject: string | null; body: string | null }
export type Cells = Readonly<Record<string, string>>

/** A hash, in hex, of what was approved: the text and the cells it was based on. */
export function sealText(text: Text, cells: Cells): string {
  const sorted = Object.entries(cells).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([text.subject ?? '', text.body ?? '', sorted]))
    .digest('hex')
}

/** Shorter values occur in any text by chance. */
const TELLING_CHARACTERS = 3

/**
 * The cells of a row that a text is based on: those that its claims and its template name, those whose words occur in it, and
 * the address. Other cells may change without affecting the text.
 */
export function madeFrom(
  text: Text,
  { claims, fields }: { claims: readonly { cell: string }[]; fields: readonly string[] },
  row: Record<string, unknown>,
): string[] {
  const named = new Set(['email', ...fields, ...claims.map(({ cell }) => cell)])
  const words = `${text.subject ?? ''}\n${text.body ?? ''}`
  return Object.entries(textCells(row)).flatMap(([key, value]) =>
    named.has(key) || (value.length >= TELLING_CHARACTERS && words.includes(value)) ? [key] : [],
  )
}

/** The current values of these cells; an empty one is included as such. */
export function cellsAt(row: Record<string, unknown>, keys: readonly string[]): Record<string, string> {
  const cells = textCells(row)
  return Object.fromEntries(keys.map((key) => [key, ownValue(cells, key) ?? '']))
}

export type ApprovedText = Text & {
  body: string
  seal: string
  /** The cells that it was based on, as approved; null: an older approval, which covered the whole row. */
  approved_cells: Record<string, string> | null
  lead_snapshot: Record<string, unknown> | null
  claims: { cell: string }[] | null
}

/** The cells that changed since a text was approved; null if the text is not the approved one. */
export function changedCells(approved: ApprovedText, row: Record<string, unknown>): string[] | null {
  const snapshot = approved.lead_snapshot ?? {}
  const sealed = approved.approved_cells ?? textCells(snapshot)
  if (sealText(approved, sealed) !== approved.seal) return null
  const cells =
    approved.approved_cells ??
    cellsAt(snapshot, madeFrom(approved, { claims: approved.claims ?? [], fields: [] }, snapshot))
  const now = cellsAt(row, Object.keys(cells))
  return Object.keys(cells).filter((key) => now[key] !== cells[key])
}

export type TextChoice =
  | { use: 'default' }
  | { use: 'approved'; text: ApprovedText }
  | { use: 'held'; reason: string }

/** What happens to an AI step without an approved text when its time comes. */
export const REVIEW_POLICIES = ['launch_default', 'hold', 'cancel'] as const
export type ReviewPolicy = (typeof REVIEW_POLICIES)[number]

/**
 * The text of an AI step for a lead. An approved text is sent exactly as it was seen, and only while the cells it was based on
 * are unchanged. Without one the campaign's policy decides: `launch_default` sends the step's own text, otherwise the lead
 * waits.
 */
export function chooseText(
  approved: ApprovedText | null,
  lead: Record<string, unknown>,
  policy: ReviewPolicy,
): TextChoice {
  if (!approved) return policy === 'launch_default' ? { use: 'default' } : { use: 'held', reason: UNREVIEWED }
  const changed = changedCells(approved, lead)
  if (changed?.length === 0) return { use: 'approved', text: approved }
  const what = changed === null ? 'The text' : changed.slice(0, 3).join(', ')
  return { use: 'held', reason: `${what} changed after the text was approved. Review the text again.` }
}

const UNREVIEWED = 'The campaign is waiting for an approved text.'
