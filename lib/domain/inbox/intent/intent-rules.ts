import type { Intent, ReadIntent } from '#lib/domain/inbox/intent/intents'

/**
 * The intents whose effect a workspace can configure. The others (wants no more mail, is away, could not be
 * reached) leave nothing to decide.
 */
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

/**
 * What a reply does to its lead. There is no option to simply continue: nobody is contacted as if they had
 * not replied.
 */
export const INTENT_EFFECTS = ['end', 'hold', 'branch'] as const
export type IntentEffect = (typeof INTENT_EFFECTS)[number]

/** The rule of a workspace or campaign for one intent. */
export type IntentRule = {
  does: IntentEffect
  hold_days: number | null
  branch_campaign_id: string | null
}

/** The rule if none is configured. */
export const defaultRule = (intent: RuledIntent): IntentRule => ({
  does: intent === 'later' ? 'hold' : 'end',
  hold_days: null,
  branch_campaign_id: null,
})

export type ReplyEffect =
  | { does: 'end' }
  /** `until`, YYYY-MM-DD: the first day on which the person may be contacted again. */
  | { does: 'hold'; until: string }
  | { does: 'branch'; campaign_id: string }

const DAY_MS = 86_400_000
const END: ReplyEffect = { does: 'end' }

/**
 * The effect of a reply in campaign `campaignId`, by the rule for its intent. An effect that is impossible
 * ends the lead instead: a hold without a date in either the reply or the rule, or a branch to the campaign
 * the lead is already in.
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
