import { rateWithInterval } from '#lib/domain/analytics/statistics'

/** Invitations of that step and variant that were sent, and how many of them were accepted. */
export interface InvitedGroup {
  step: number
  variant_label: string | null
  invited: number
  accepted: number
}

/** Actions of a step that were skipped for one reason. */
export interface SkipGroup {
  step: number
  /** Null: the condition of the step did not hold. */
  reason: string | null
  count: number
}

/** Further reasons are summed up in one line, so that a network's error texts cannot make the answer long. */
const MOST_REASONS = 10

/**
 * The acceptance rate of one step or variant. `invited` counts the invitations sent, which is also what `left` counts. Null: no
 * invitations.
 */
export function acceptanceRates(
  step: { step: number; action_type: string | null },
  groups: readonly InvitedGroup[],
  left: number,
  label?: string,
) {
  if (step.action_type !== 'connection_request') return { accepted: null, acceptance_rate: null }
  const accepted = groups
    .filter((group) => group.step === step.step && (label === undefined || group.variant_label === label))
    .reduce((sum, group) => sum + group.accepted, 0)
  return { accepted, acceptance_rate: rateWithInterval(accepted, left) }
}

/** Why a step was skipped, the most frequent reason first; the counts add up to `skipped`. */
export function countReasons(
  { step, condition, skipped }: { step: number; condition: string | null | undefined; skipped: number },
  groups: readonly SkipGroup[],
): { reason: string; count: number }[] {
  const named = new Map<string, number>()
  const add = (reason: string, count: number) => named.set(reason, (named.get(reason) ?? 0) + count)
  const own = groups.filter((group) => group.step === step)
  const known = own.reduce((sum, { count }) => sum + count, 0)
  const unheld = `The condition${condition ? ` “${condition}”` : ''} was not met.`
  for (const { reason, count } of own) add(reason ?? unheld, count)
  if (skipped > known) add(unheld, skipped - known)
  const sorted = [...named].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  const shown = sorted.slice(0, MOST_REASONS).map(([reason, count]) => ({ reason, count }))
  const rest = sorted.slice(MOST_REASONS).reduce((sum, [, count]) => sum + count, 0)
  return rest === 0 ? shown : [...shown, { reason: 'For other reasons.', count: rest }]
}
