import type { NOT_OVER } from '#lib/domain/leads/lead-moves'
import type { LedgerStatus } from '#lib/domain/leads/uncertain'
import { goOn } from '#lib/domain/sending/outcome'

/** The lead's state when its owner stopped it. */
export type StoodAt = {
  status: 'pending' | 'active'
  current_step: number
  next_step: number
  /** When that step was due; null: it was in progress, or held. */
  due_at: number | null
}

/** Why a stopped lead cannot be continued. */
export type StaysStopped = 'suppressed' | 'edited' | 'under_way' | 'failed'

export type GoesOn = {
  status: (typeof NOT_OVER)[number]
  current_step: number
  next: { step: number; due_at: number } | null
}

type Known = {
  stood_at: StoodAt
  /** The ledger's entry for the step it waited for; null: none. */
  step: { status: LedgerStatus; performed_at: number } | null
  suppressed: boolean
  /** The campaign was edited since: the step may be another, or gone. */
  edited: boolean
}

/**
 * Where a stopped lead continues: at its old step, unless that step was in progress and has been performed since; it is never
 * repeated. A step whose time came meanwhile is due at once.
 */
export function goesOn(
  { stood_at, step, suppressed, edited }: Known,
  campaign: { steps_config: readonly { delay_days: number }[]; timezone: string },
  now: number,
): GoesOn | StaysStopped {
  if (suppressed) return 'suppressed'
  if (edited) return 'edited'
  const { status, current_step, next_step, due_at } = stood_at
  if (step === null || step.status === 'retry')
    return { status, current_step, next: { step: next_step, due_at: due_at ?? now } }
  if (step.status === 'sending') return 'under_way'
  if (step.status === 'failed') return 'failed'
  const performed = step.status === 'skipped' ? current_step : next_step
  const { lead, next } = goOn({ ...campaign, step: next_step, performed_at: step.performed_at })
  return { status: lead === 'completed' ? 'completed' : 'active', current_step: performed, next }
}
