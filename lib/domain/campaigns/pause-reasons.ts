/** Why a campaign is paused. All but the first are pauses by the product itself. */
export const PAUSE_REASONS = [
  'user',
  'personalization_review_pending',
  'bounce_rate',
  'complaint_rate',
  'sender_disconnected',
  'restored',
] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

/** `cause` completes “paused because …”; `advice` is what to do before a resume. */
type Words = { cause: string; advice: string }

/** The wording of each reason, for the pages, the explanations and the notifications. */
export const PAUSES: Record<PauseReason, Words> = {
  user: { cause: 'its owner paused it', advice: 'Nothing is sent until it is resumed.' },
  personalization_review_pending: {
    cause: 'its personalized texts are waiting for review',
    advice: 'Approve them, then resume.',
  },
  bounce_rate: {
    cause: 'too many addresses bounced',
    advice:
      'More bounces would hurt your domain’s reputation. Check which addresses bounced before you resume.',
  },
  complaint_rate: {
    cause: 'too many people complained',
    advice: 'Check what was sent and to whom before you resume.',
  },
  sender_disconnected: {
    cause: 'no connected sender is left',
    advice: 'Reconnect one and test it, then resume.',
  },
  restored: {
    cause: 'the instance was restored from a backup',
    advice: 'Anything sent after the backup is unknown here and may be sent again if you resume.',
  },
}

/** A pause in one line. Null, in old rows, means that its owner paused it. */
export function pausedText(reason: PauseReason | null): string {
  if (reason === null || reason === 'user') return 'Paused manually. Nothing is sent until you resume it.'
  const { cause, advice } = PAUSES[reason]
  return `Paused automatically: ${cause}. ${advice}`
}
