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
 * How the text for one lead moves. `ask` comes before the model is called, `lose` where nobody heard the call end; `abandon`
 * ends what nobody will be asked about any more. The last four are a person's, once the run is over.
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

/** A call that nobody answered is tried once more, and never a third time. */
export const MOST_CALLS = 2

/** What a call can come to; a lead that cannot be asked about is `impossible`. */
export type CallEnd = 'written' | 'unusable' | 'unknown' | 'later' | 'rejected' | 'impossible'

/** Where a call leaves the text of its lead. */
export function textAfter(end: CallEnd, calls: number): (typeof TEXT_MOVES)['answer']['to'][number] {
  if (end === 'written') return 'generated'
  if (end === 'later' || end === 'rejected') return 'pending'
  return end === 'unknown' && calls < MOST_CALLS ? 'pending' : 'failed'
}
