import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import type { LedgerStatus } from '#lib/domain/leads/uncertain'

/** Why a failed step is not tried again. */
export type StaysFailed = 'not_failed' | 'handed_over' | 'suppressed' | 'edited'

type Failed = {
  status: LeadStatus
  /** The ledger's entry for the lead's last step; null: none. */
  last: { step: number; status: LedgerStatus; channel: string; action_type: string } | null
  suppressed: boolean
  /** The lead's row now has another address. */
  readdressed: boolean
}

/**
 * Why a lead whose step failed may not get it again; null if it may. Only a step that failed before it was accepted is tried
 * again: a message that a server accepted and returned later was sent. The step must be unchanged since.
 */
export function staysFailed(
  { status, last, suppressed, readdressed }: Failed,
  steps: readonly Parameters<typeof stepAction>[0][],
): StaysFailed | null {
  if (status !== 'failed') return 'not_failed'
  if (last?.status !== 'failed') return 'handed_over'
  if (suppressed) return 'suppressed'
  const step = steps[last.step - 1]
  const isSame = step !== undefined && step.channel === last.channel && stepAction(step) === last.action_type
  return isSame && !readdressed ? null : 'edited'
}
