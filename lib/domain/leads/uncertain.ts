import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'

export type LedgerStatus = 'sending' | 'retry' | 'sent' | 'failed' | 'uncertain' | 'skipped'

/** Why an action that is known not to have left is not offered again all the same. */
export type RetryObstacle = 'lead_ended' | 'suppressed' | 'later_step_offered'

/**
 * Whether an uncertain action may be offered again once its owner says that it never left; null when it may.
 *
 * Not to a lead that answered or ended for another reason than having had its last step, not to a suppressed address, and not
 * behind a later step: steps go out in order, and what was sent is not repeated. Later steps that were only skipped, or
 * that wait for another try, were not offered and do not stand in the way.
 */
export function retryObstacle(known: {
  lead: LeadStatus
  suppressed: boolean
  /** Of the same lead, the ledger's status of every later step. */
  later: readonly LedgerStatus[]
}): RetryObstacle | null {
  if (known.lead !== 'active' && known.lead !== 'completed') return 'lead_ended'
  if (known.suppressed) return 'suppressed'
  return known.later.some((status) => status !== 'skipped' && status !== 'retry')
    ? 'later_step_offered'
    : null
}

export const NOT_AGAIN: Record<RetryObstacle, string> = {
  lead_ended: 'The lead has replied or ended since.',
  suppressed: 'The lead is on the suppression list.',
  later_step_offered: 'A later step was already sent, and steps are sent in order.',
}
