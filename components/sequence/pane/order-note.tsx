import type { StepConfig } from '#lib/contracts/campaigns/steps'

/** What a step's position means for whom it reaches; null if nothing needs saying. */
export function orderNote(steps: readonly StepConfig[], index: number): string | null {
  const step = steps[index]
  if (!step) return null
  const before = steps.slice(0, index)
  const isInvited = before.some(({ action_type }) => action_type === 'connection_request')
  switch (step.action_type) {
    case 'withdraw_invitation':
      return isInvited ? null : 'No earlier step invites them, so most leads will be skipped.'
    case 'message':
    case 'endorse':
      return isInvited
        ? 'Skipped for anyone who has not accepted the invitation by then.'
        : 'Reaches connections only: no earlier step invites others.'
    case 'connection_request':
      return isInvited ? 'An earlier step invites already: skipped while that is pending.' : null
    default:
      return null
  }
}
