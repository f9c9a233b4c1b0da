import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'

export type LedgerStatus = 'sending' | 'retry' | 'sent' | 'failed' | 'uncertain' | 'skipped'

/** Why an action that is known not to have left is still not offered again. */
export type RetryObstacle = 'lead_ended' | 'suppressed' | 'later_step_offered'

/**
 * Whether an uncertain action may be offered again after its owner reports that it never left; null if it may.
 * Not if the lead replied or ended for any reason but having had its last step, not if the address is suppressed, and not if a
 * later step was offered: steps go out in order, and nothing is sent twice. Later steps that were only skipped, or that wait for
 * a retry, were not offered and do not matter.
 */
export function retryObstacle(known: {
  lead: LeadStatus
  suppressed: boolean
  /** The ledger's status of every later step of the same lead. */
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
