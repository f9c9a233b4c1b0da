import type { Shares } from '#lib/domain/campaigns/sender-rotation'
import type { ContactHold } from '#lib/domain/sending/contact-hold'
import { buildDispatchState, type DispatchInput } from '#lib/domain/sending/dispatch-state'
import { runDispatch } from '#lib/domain/sending/dispatch-turns'
import { toShares } from '#lib/domain/sending/member-rotation'
import { noWaits, type PaceState, toPaceState, type Waits } from '#lib/domain/sending/pacing'

/**
 * Decides which lead goes next and when. The dispatcher and the forecast run the same loop.
 *
 * A campaign has one stream of slots (`pacing.ts`). A slot's instant t is the first at which the campaign may
 * act and some lead may act, that is, the lead is due and its sender is free. Among due follow-ups whose
 * sender is free, the slot goes to the one that has waited longest (ties: lowest lead_index); if there is
 * none, to the first new lead.
 *
 * A new lead gets one of the senders free at t and keeps it. The order of preference is: a sender hosted by
 * the lead's own provider, if the campaign matches providers; a sender of the member with the fewest leads so
 * far, if new leads are spread over members; the sender with the most headroom on that date (ties: lowest
 * id).
 *
 * A step whose condition does not hold at its slot is skipped without using the slot, and the next step's
 * delay counts from there. A lead whose person is away or in another campaign is put off, also without using
 * the slot; from then on it waits among the follow-ups.
 *
 * If leads follow their own clocks (`schedule_timezone`), a lead may take a slot only while its own clock is
 * inside a window, and t is the first instant at which that is true of a due lead. The interval and the daily
 * limit still count on the campaign's clock.
 *
 * The dispatcher runs the loop with `until` = now, so every planned action is at `now` and missed slots are
 * not caught up in a burst. With an interval of 0, a whole day's quota is due at one instant. It is then
 * planned in several calls at that instant, each continuing from the state the previous one stored; the order
 * is the same as in a single call. The forecast runs the loop without an end, so a dispatcher that wakes at
 * each `next_slot_at` follows the forecast to the millisecond.
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
   * When to look at the campaign again, at the earliest: `now` if the plan stopped at the cap or at the end
   * of what was loaded. Null if nothing known can ever become due, so only an outside event (a resume, an
   * edit, an outcome) helps.
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
 * The actions of one campaign that are due at `now`, at most `cap` of them (skips and leads put off count
 * too).
 *
 * `input.follow_ups` and `input.new_leads` may be the beginnings of their queues: the plan never goes past
 * the end of a list that `cut` names. For each lane, load the due leads by (due_at, lead_index), as many as
 * are wanted. If that is all of them, also load the first lead of each clock that is not due yet:
 * `next_slot_at` is computed from it, and no lead behind it is examined.
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
