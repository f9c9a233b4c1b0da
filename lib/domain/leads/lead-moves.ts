import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { typedKeys } from '#lib/domain/text/record'

/** The last event of a lead. */
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

/** A lead stopped by its owner is `skipped`, but may be continued. */
type From = LeadStatus | 'stopped'

const WAITING = ['pending', 'active'] as const
/** Completed steps are not the end: a reply or a bounce still counts. */
const BEGUN = ['active', 'completed'] as const
export const NOT_OVER = ['pending', 'active', 'completed'] as const
/** At the owner's request, also leads that were stopped or whose step failed. */
const MAY_GO_ON = [...WAITING, 'stopped', 'failed'] as const

type Move = { from: readonly From[]; to: readonly LeadStatus[]; events: readonly LeadEvent[] }

/** The transitions of a lead: from which status, to which, and the event that they record. */
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
  // Its action was uncertain, and turned out not to have left.
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
  // The failed step never left, and its cause may be fixed.
  try_again: { from: ['failed'], to: ['active'], events: ['tried_again'] },
  lose_step: { from: ['active'], to: ['completed'], events: ['edited'] },
  lose_row: { from: MAY_GO_ON, to: ['skipped'], events: ['edited'] },
  // Its row got another address or profile: nobody was contacted yet, so it is checked as on its enrolment.
  readdress: { from: ['pending'], to: ['pending', 'skipped'], events: ['edited'] },
  // An edit, or undoing it, changes its place in the queue.
  replace: { from: NOT_OVER, to: NOT_OVER, events: [] },
} as const satisfies Record<string, Move>

export type LeadVerb = keyof typeof MOVES
export const LEAD_VERBS = typedKeys(MOVES)
export type MovesTo<Verb extends LeadVerb> = (typeof MOVES)[Verb]['to'][number]
export type SaidOf<Verb extends LeadVerb> = (typeof MOVES)[Verb]['events'][number]

export const leadMove = (verb: LeadVerb): Move => MOVES[verb]

/** The columns of the step that a lead waits for; they are empty once it has ended. */
export const WAITS = ['next_step', 'next_action_at', 'next_action_type', 'next_sender_id'] as const

export const mayWait = (status: LeadStatus): boolean => status === 'pending' || status === 'active'

/** The event with which a suppression entry ends a lead: that of the entry's reason if there is one, otherwise `suppressed`. */
export const suppressedBy = (reason: string): SaidOf<'suppress'> =>
  reason === 'unsubscribe' || reason === 'hard_bounce' || reason === 'complaint' ? reason : 'suppressed'
