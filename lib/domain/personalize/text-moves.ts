export const GENERATION_STATUSES = ['pending', 'generated', 'failed', 'rejected'] as const
export type GenerationStatus = (typeof GENERATION_STATUSES)[number]

export const TEXT_VERBS = [
  'ask',
  'lose',
  'answer',
  'abandon',
  'approve',
  'reject',
  'edit',
  'rewrite',
] as const
export type TextVerb = (typeof TEXT_VERBS)[number]

/**
 * The transitions of the text for one lead. `ask` comes before the model is called; `lose` applies if the call's end was never
 * reported; `abandon` ends texts that will not be asked for any more. The last four are a person's decisions after the run.
 */
export const TEXT_MOVES = {
  ask: { from: ['pending'], to: ['pending'] },
  lose: { from: ['pending'], to: ['pending', 'failed'] },
  answer: { from: ['pending'], to: ['pending', 'generated', 'failed'] },
  abandon: { from: ['pending'], to: ['failed'] },
  approve: { from: ['generated'], to: ['generated'] },
  reject: { from: ['generated', 'rejected'], to: ['rejected'] },
  edit: { from: GENERATION_STATUSES, to: ['generated'] },
  rewrite: { from: GENERATION_STATUSES, to: ['generated'] },
} as const satisfies Record<TextVerb, { from: readonly GenerationStatus[]; to: readonly GenerationStatus[] }>

/** A call without a reported end is repeated once, and never a third time. */
export const MOST_CALLS = 2

/** The outcomes of a call; `impossible` if the lead cannot be asked about. */
export type CallEnd = 'written' | 'unusable' | 'unknown' | 'later' | 'rejected' | 'impossible'

/** The state of a lead's text after a call. */
export function textAfter(end: CallEnd, calls: number): (typeof TEXT_MOVES)['answer']['to'][number] {
  if (end === 'written') return 'generated'
  if (end === 'later' || end === 'rejected') return 'pending'
  return end === 'unknown' && calls < MOST_CALLS ? 'pending' : 'failed'
}
