/** What a person wants who answers, in the order in which people are offered them. */
export const INTENTS = [
  'interested',
  'meeting',
  'later',
  'referral',
  'wrong_person',
  'not_interested',
  'stop',
  'absence',
  'bounce',
] as const
export type Intent = (typeof INTENTS)[number]

/** Who says what a reply means. A model is asked after the rules; a person's word stands over both. */
export const INTENT_SOURCES = ['rules', 'model', 'person'] as const
export type IntentSource = (typeof INTENT_SOURCES)[number]

/** What was read in a reply. */
export type ReadIntent = {
  intent: Intent
  /** The words that say so, as they stand in the reply. */
  evidence: string
  /** Of `later`: the day from which to write again, YYYY-MM-DD; null where none was said, or none that can be told. */
  until: string | null
  /** Of `referral`: whom to write to. It is offered to people, and never written to. */
  referral: { name: string | null; email: string | null } | null
}
