import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { typedKeys } from '#lib/domain/text/record'

/** What last happened to a lead. */
export const LEAD_EVENTS = [
  'sent',
  'uncertain',
  'retry',
  'failed',
  'skipped',
  'held',
  'released',
  'edited',
  'stopped',
  'taken_back',
  'tried_again',
  'resolved_not_sent',
  'automatic_reply',
  'replied',
  'bounced',
  'unsubscribed',
  'suppressed',
  'unsubscribe',
  'hard_bounce',
  'complaint',
] as const
export type LeadEvent = (typeof LEAD_EVENTS)[number]

/** A lead that its owner stopped is skipped, and may go on all the same. */
type From = LeadStatus | 'stopped'

const WAITING = ['pending', 'active'] as const
/** Steps that are done are not the end: an answer, or what comes back, still counts. */
const BEGUN = ['active', 'completed'] as const
export const NOT_OVER = ['pending', 'active', 'completed'] as const
/** By their owner's word also who was stopped, or whose step failed. */
const MAY_GO_ON = [...WAITING, 'stopped', 'failed'] as const

type Move = { from: readonly From[]; to: readonly LeadStatus[]; events: readonly LeadEvent[] }

/** What moves a lead: from where, to where, and what it says happened. */
const MOVES = {
  claim: { from: WAITING, to: ['active'], events: [] },
  hold: { from: WAITING, to: ['active'], events: ['held'] },
  put_off: { from: WAITING, to: ['active'], events: [] },
  release: { from: ['active'], to: ['active'], events: ['released'] },
  skip_step: { from: WAITING, to: BEGUN, events: ['skipped'] },
  perform: {
    from: ['active'],
    to: ['active', 'completed', 'failed', 'bounced'],
    events: ['sent', 'uncertain', 'retry', 'failed', 'skipped'],
  },
  // Its action had turned uncertain, and nothing had left after all.
  take_step_back: {
    from: BEGUN,
    to: ['active', 'completed', 'failed', 'bounced'],
    events: ['retry', 'failed'],
  },
  offer_again: { from: BEGUN, to: ['active'], events: ['resolved_not_sent', 'retry'] },
  confirm: { from: BEGUN, to: BEGUN, events: ['sent'] },
  note: { from: NOT_OVER, to: NOT_OVER, events: ['automatic_reply'] },
  answer: {
    from: [...MAY_GO_ON, 'completed'],
    to: ['replied', 'bounced', 'unsubscribed', 'failed'],
    events: ['replied', 'bounced', 'unsubscribed', 'failed'],
  },
  suppress: {
    from: WAITING,
    to: ['unsubscribed', 'bounced'],
    events: ['suppressed', 'unsubscribe', 'hard_bounce', 'complaint'],
  },
  company_replied: { from: MAY_GO_ON, to: ['skipped'], events: ['skipped'] },
  replied_elsewhere: { from: MAY_GO_ON, to: ['skipped'], events: ['skipped'] },
  leave: { from: WAITING, to: ['skipped'], events: ['skipped'] },
  stop: { from: WAITING, to: ['skipped'], events: ['stopped'] },
  resume: { from: ['stopped'], to: NOT_OVER, events: ['taken_back'] },
  // What failed never left, and what it failed for may be mended.
  try_again: { from: ['failed'], to: ['active'], events: ['tried_again'] },
  lose_step: { from: ['active'], to: ['completed'], events: ['edited'] },
  lose_row: { from: MAY_GO_ON, to: ['skipped'], events: ['edited'] },
  // Its row has another address or profile: nobody was written to yet, so it is judged as on its enrolment.
  readdress: { from: ['pending'], to: ['pending', 'skipped'], events: ['edited'] },
  // An edit, or its undo, gives it another place in its queue.
  replace: { from: NOT_OVER, to: NOT_OVER, events: [] },
} as const satisfies Record<string, Move>

export type LeadVerb = keyof typeof MOVES
export const LEAD_VERBS = typedKeys(MOVES)
export type MovesTo<Verb extends LeadVerb> = (typeof MOVES)[Verb]['to'][number]
export type SaidOf<Verb extends LeadVerb> = (typeof MOVES)[Verb]['events'][number]

export const leadMove = (verb: LeadVerb): Move => MOVES[verb]

/** What says which step a lead waits for: over, it waits for none. */
export const WAITS = ['next_step', 'next_action_at', 'next_action_type', 'next_sender_id'] as const

export const mayWait = (status: LeadStatus): boolean => status === 'pending' || status === 'active'

/** How an entry of the suppression list ends a lead: its own words stay the reason. */
export const suppressedBy = (reason: string): SaidOf<'suppress'> =>
  reason === 'unsubscribe' || reason === 'hard_bounce' || reason === 'complaint' ? reason : 'suppressed'
