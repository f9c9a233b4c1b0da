import type { Intent, ReadIntent } from '#lib/domain/inbox/intent/intents'

/** What can be decided otherwise. Whoever wants no more mail, is away, or could not be reached leaves nothing to decide. */
export const RULED_INTENTS = [
  'interested',
  'meeting',
  'later',
  'referral',
  'wrong_person',
  'not_interested',
] as const satisfies readonly Intent[]
export type RuledIntent = (typeof RULED_INTENTS)[number]

export const isRuled = (intent: Intent | null): intent is RuledIntent =>
  RULED_INTENTS.some((one) => one === intent)

/** What a reply does to its lead. None lets it go on at once: nobody is written to as if they had not answered. */
export const INTENT_EFFECTS = ['end', 'hold', 'branch'] as const
export type IntentEffect = (typeof INTENT_EFFECTS)[number]

/** What a workspace, or a campaign, decided of an intent. */
export type IntentRule = {
  does: IntentEffect
  hold_days: number | null
  branch_campaign_id: string | null
}

/** Where nobody decided anything. */
export const defaultRule = (intent: RuledIntent): IntentRule => ({
  does: intent === 'later' ? 'hold' : 'end',
  hold_days: null,
  branch_campaign_id: null,
})

export type ReplyEffect =
  | { does: 'end' }
  /** `until` is the first day on which they may be written to, YYYY-MM-DD. */
  | { does: 'hold'; until: string }
  | { does: 'branch'; campaign_id: string }

const DAY_MS = 86_400_000
const END: ReplyEffect = { does: 'end' }

/**
 * What a reply that came in `campaignId` does, by the rule of its intent. What cannot be done ends the lead: so does a later
 * that names no day where the rule has none either, and a branch to where they are.
 */
export function replyEffect(
  read: Pick<ReadIntent, 'intent' | 'until'> | null,
  rule: IntentRule | null,
  { campaign_id, received_at }: { campaign_id: string; received_at: number },
): ReplyEffect {
  if (!read || !isRuled(read.intent)) return END
  const { does, hold_days, branch_campaign_id } = rule ?? defaultRule(read.intent)
  if (does === 'branch' && branch_campaign_id !== null && branch_campaign_id !== campaign_id)
    return { does, campaign_id: branch_campaign_id }
  if (does !== 'hold') return END
  const until = read.until ?? (hold_days === null ? null : dayAfter(received_at, hold_days))
  return until === null ? END : { does, until }
}

const dayAfter = (at: number, days: number) => new Date(at + days * DAY_MS).toISOString().slice(0, 10)
