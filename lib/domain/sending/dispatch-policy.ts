import type { Shares } from '#lib/domain/campaigns/sender-rotation'
import type { ContactHold } from '#lib/domain/sending/contact-hold'
import { buildDispatchState, type DispatchInput } from '#lib/domain/sending/dispatch-state'
import { runDispatch } from '#lib/domain/sending/dispatch-turns'
import { toShares } from '#lib/domain/sending/member-rotation'
import { noWaits, type PaceState, toPaceState, type Waits } from '#lib/domain/sending/pacing'

/**
 * Who goes next, and when: one loop for the dispatcher and the forecast.
 *
 * A campaign has one stream of slots (`pacing.ts`). The slot's instant t is the first at which the campaign may act and
 * some lead may: it is due, and its sender is free. It goes to the due follow-up that has waited longest (ties: lowest
 * lead_index) among those whose sender is free, else to the first new lead. A new lead gets, of the senders free at t, the one
 * with the most headroom on that date (ties: lowest id) and keeps it; where new leads are spread over members, of the free
 * senders first those of whoever got fewest, and where providers are matched, before that those of the lead's own provider. A step whose condition does not hold at its slot is
 * skipped without using the slot, and the next step's delay counts from there. A lead whose person is away then, or whom another
 * campaign has, is put off, without using the slot either: from there on it waits among the follow-ups.
 *
 * Where leads keep their own clocks (`schedule_timezone`), a lead may take a slot only while its own clock stands in a window,
 * and t is the first instant at which that is so of one that is due. The campaign's interval and daily limit stay its own.
 *
 * The dispatcher runs it with `until` = now, so every action it plans is at `now`: what was missed is not caught up in a
 * burst. With an interval of 0 a whole day's quota is due at one instant, and is planned in as many calls at that instant
 * as its cap needs, each going on from the state that the one before has stored; the order is the same as in one. The
 * forecast runs it with no end. So a dispatcher that wakes at each `next_slot_at` performs the forecast to the millisecond.
 */

export interface PlannedAction {
  lead_index: number
  step: number
  sender_id: string
  at: number
  /** What the lead waits for next, its delay counted from `at`; null after its last step. */
  next: { step: number; due_at: number } | null
}

/** A skipped step: its condition did not hold at its slot, or its channel does not reach the lead. */
export interface SkippedStep {
  lead_index: number
  step: number
  at: number
  next: { step: number; due_at: number } | null
}

/** A lead whose turn came while its person was away or in another campaign. */
export interface PutOff {
  lead_index: number
  step: number
  until: number
  hold: ContactHold | null
}

export interface Plan {
  /** In order, all at `now`. */
  actions: PlannedAction[]
  skips: SkippedStep[]
  put_off: PutOff[]
  /**
   * When to look at the campaign again, at the earliest: `now` when the cap or the end of what was loaded stopped the plan.
   * Null when nothing can ever come from what is known: then only an outside event (a resume, an edit, an outcome) helps.
   */
  next_slot_at: number | null
  /** The zone of the lead that takes the next slot, if leads follow their own clocks; null: the campaign's zone. */
  next_timezone: string | null
  /** How long each rule delays the next slot, from `now`. */
  waits: Waits
  /** The pacing state after these actions, to be stored with them. */
  pace: PaceState
  /** The members' shares after these actions; null if new leads are not spread over members. */
  shares: Shares | null
}

/**
 * The actions of one campaign that are due at `now`, at most `cap` of them (skips and leads put off count too).
 *
 * `input.follow_ups` and `input.new_leads` may be the beginnings of their queues: the plan never goes past the end of a list
 * that `cut` names. Of each lane, load those that are due by (due_at, lead_index), as many as are wanted, and where these are all, the
 * first that is not due yet (of each clock): nobody behind it is asked, and it is what `next_slot_at` is made from.
 */
export function planDispatch(input: DispatchInput, now: number, cap: number): Plan {
  const state = buildDispatchState(input, now)
  const actions: PlannedAction[] = []
  const skips: SkippedStep[] = []
  const put_off: PutOff[] = []
  const steps = input.campaign.steps_config.length
  const waits = noWaits()
  const lead = (place: number) => state.lead_index[place] ?? -1
  const nextStep = (step: number, due_at: number | null) =>
    due_at === null || step >= steps ? null : { step: step + 1, due_at }
  const next = runDispatch(state, now, now, cap, waits, {
    action: (place, step, meter, at, nextDue) =>
      actions.push({
        lead_index: lead(place),
        step,
        sender_id: state.meters[meter]?.sender_id ?? '',
        at,
        next: nextStep(step, nextDue),
      }),
    skip: (place, step, at, nextDue) =>
      skips.push({ lead_index: lead(place), step, at, next: nextStep(step, nextDue) }),
    putOff: (place, step, until, hold) => put_off.push({ lead_index: lead(place), step, until, hold }),
  })
  return {
    actions,
    skips,
    put_off,
    next_slot_at: next?.at ?? null,
    next_timezone: next?.timezone ?? null,
    waits,
    pace: toPaceState(state.pace),
    shares: state.turns && toShares(state.turns),
  }
}
