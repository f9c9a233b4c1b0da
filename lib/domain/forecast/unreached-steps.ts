import { nextOpen, type Schedule } from '#lib/domain/calendar/schedule'
import { moveDays } from '#lib/domain/calendar/zoned-time'

/** A step that is still ahead of a lead. */
export type StepToCome = {
  step: number
  delay_days: number
  /** Why the step's channel does not reach the lead; null if it does. */
  unreached: string | null
  /** When the forecast performs the step; null if it does not. */
  planned: number | null
}
export type StepToSkip = { step: number; at: number; reason: string }

/**
 * The steps that will be skipped because their channel does not reach the lead, in order; the first is due at
 * `due`. Stops at a step that would reach the lead but whose time is unknown, since nothing is known about
 * later steps either.
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
