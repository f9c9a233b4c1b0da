/** The intents of a reply, in the order in which they are offered to users. */
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

/** Who determined an intent. A model is asked after the rules; a person's choice overrides both. */
export const INTENT_SOURCES = ['rules', 'model', 'person'] as const
export type IntentSource = (typeof INTENT_SOURCES)[number]

/** The intent found in a reply. */
export type ReadIntent = {
  intent: Intent
  /** The words that show it, exactly as in the reply. */
  evidence: string
  /** For `later`: the day from which to write again, YYYY-MM-DD; null if none was given or it is unclear. */
  until: string | null
  /** For `referral`: whom to contact instead. Shown to users, never contacted automatically. */
  referral: { name: string | null; email: string | null } | null
}
