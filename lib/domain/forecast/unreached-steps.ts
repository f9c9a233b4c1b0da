import { nextOpen, type Schedule } from '#lib/domain/calendar/schedule'
import { moveDays } from '#lib/domain/calendar/zoned-time'

/** A step that a lead has yet to come to. */
export type StepToCome = {
  step: number
  delay_days: number
  /** Why its channel does not reach the lead; null where it does. */
  unreached: string | null
  /** When the forecast has it; null where it has it not. */
  planned: number | null
}
export type StepToSkip = { step: number; at: number; reason: string }

/**
 * The steps that will be passed over since their channel does not reach the lead, in the order of their turns, of which the
 * first is due at `due`. Behind a step that would reach the lead and whose time nobody knows, nothing is said.
 */
export function unreachedSteps(steps: readonly StepToCome[], due: number, schedule: Schedule): StepToSkip[] {
  const skipped: StepToSkip[] = []
  let at = due
  for (const [index, { step, unreached, planned }] of steps.entries()) {
    const next = steps.slice(index).find((one) => one.planned !== null)?.planned ?? null
    if (planned !== null) at = planned
    else if (unreached !== null) {
      at = Math.min(nextOpen(schedule, at) ?? at, next ?? Number.POSITIVE_INFINITY)
      skipped.push({ step, at, reason: unreached })
    } else if (next === null) break
    at = moveDays(schedule.zone, at, steps[index + 1]?.delay_days ?? 0)
  }
  return skipped
}
