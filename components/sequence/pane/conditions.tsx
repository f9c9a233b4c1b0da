import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { alwaysHolds, neverHolds, type StepRule } from '#lib/domain/campaigns/step-conditions'

type Condition = StepConfig['condition']

/** LinkedIn actions that require a connection, so a condition may contradict them. */
const NEEDS_CONNECTION: readonly string[] = ['message', 'endorse']
const NEEDS_STRANGER: readonly string[] = ['connection_request', 'withdraw_invitation']

/** Why a step at this position cannot have a condition; null if it can. `index` counts from 0. */
export function conditionObstacle(
  steps: readonly StepConfig[],
  index: number,
  condition: Condition,
  isLinkedIn: boolean,
): string | null {
  const step = steps[index]
  if (!step || condition === 'always') return null
  const tried: StepRule[] = steps.map((one, at) => (at === index ? { ...one, condition } : one))
  const never = neverHolds(tried, index)
  if (never) return never
  const always = alwaysHolds(tried, index)
  if (always) return `true for every lead: ${always}`
  if (!isLinkedIn) return null
  if (condition === 'not_connected' && NEEDS_CONNECTION.includes(step.action_type))
    return 'LinkedIn allows this for connections only'
  if (condition === 'connected' && NEEDS_STRANGER.includes(step.action_type))
    return 'only for people not connected yet'
  return null
}
