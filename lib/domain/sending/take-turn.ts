import { moveDays } from '#lib/domain/calendar/zoned-time'
import { conditionHolds, type StepRule } from '#lib/domain/campaigns/step-conditions'
import type { ContactHold } from '#lib/domain/sending/contact-hold'
import { type DispatchState, enqueue } from '#lib/domain/sending/dispatch-state'
import { ANY_SENDER } from '#lib/domain/sending/lanes'
import { headPlace, pop } from '#lib/domain/sending/lead-queue'
import { countTurn } from '#lib/domain/sending/member-rotation'
import type { Turn } from '#lib/domain/sending/next-turn'
import { takeSlot } from '#lib/domain/sending/pacing'
import { pausedUntil, providerHold } from '#lib/domain/sending/provider-pause'
import { chooseSender, refreshReady } from '#lib/domain/sending/sender-choice'
import { takeFrom } from '#lib/domain/sending/sender-limits'

/** Receives every decision. `place` is the lead's place in the state's arrays; `step` counts from 1. */
export interface DecisionSink {
  action(place: number, step: number, meter: number, at: number, nextDue: number | null): void
  skip(place: number, step: number, at: number, nextDue: number | null): void
  /** The lead's person is away, or must wait (`hold`); the lead waits for the same step until `until`. */
  putOff(place: number, step: number, until: number, hold: ContactHold | null): void
}

export function takeTurn(state: DispatchState, turn: Turn, sink: DecisionSink): void {
  const { lane, group, at } = turn
  if (!group) return
  const place = lane ? headPlace(lane.queue) : (state.new_order[group.new_next++] ?? 0)
  if (lane) pop(lane.queue)

  const index = state.done[place] ?? 0
  const lead = state.lead_index[place] ?? -1
  const away = state.away?.get(lead) ?? at
  const answered = state.after_colleague?.get(lead)
  const isAnswered = away <= at && answered !== undefined && answered.until > at
  const hold = away > at ? null : isAnswered ? answered : (state.contact?.hold(lead, at) ?? null)
  const until = hold?.ask_again_at ?? away
  if (until > at) {
    if (!hold || isAnswered) state.contact?.passed(lead, at)
    sink.putOff(place, index + 1, until, hold)
    enqueue(state, place, until)
    return
  }
  const rule = state.campaign.steps_config[index]
  const action = state.step_action[index] ?? 0
  state.done[place] = index + 1
  const delay = state.campaign.steps_config[index + 1]?.delay_days ?? null
  const due = delay === null ? null : moveDays(group.zone, at, delay)
  const isReached = !(rule && state.out_of_reach?.[rule.channel].has(lead))
  if (!rule || !isReached || !holds(state, rule, place)) {
    sink.skip(place, index + 1, at, due)
    state.contact?.passed(lead, at)
    if (due === null) state.contact?.over(lead, at)
    else enqueue(state, place, due)
    return
  }

  const kept = state.sender[rule.channel][place] ?? ANY_SENDER
  const meter = kept === ANY_SENDER ? chooseSender(state, action, at, lead) : kept
  const paused = providerPause(state, { lead, action, meter }, at)
  if (paused !== null) {
    state.done[place] = index
    state.contact?.passed(lead, at)
    sink.putOff(place, index + 1, paused, providerHold(paused))
    enqueue(state, place, paused)
    return
  }
  if (kept === ANY_SENDER && state.turns) countTurn(state.turns, meter)
  state.sender[rule.channel][place] = meter
  takeSlot(state.pace, at, lead, index + 1)
  const counted = state.meters[meter]
  if (counted) takeFrom(counted, state.counted_as[action] ?? 0, at)
  refreshReady(state, meter, at)

  // Never at the same instant: the outcome of this step may end the lead, so both are never planned together.
  const next = due === null ? null : Math.max(due, at + 1)
  sink.action(place, index + 1, meter, at, next)
  state.contact?.acted(lead, at)
  if (next === null) state.contact?.over(lead, at)
  else enqueue(state, place, next)
}

/** Email steps do not query the network: an unknown connection counts as not connected. */
function holds(state: DispatchState, { channel, condition }: StepRule, place: number): boolean {
  if (!condition || condition === 'always') return true
  const facts = state.facts?.[place - state.new_count] ?? state.unknown
  const known = channel === 'email' ? { ...facts, connected: facts.connected ?? false } : facts
  return conditionHolds(condition, known)
}

/**
 * When the lead may be tried again because sending to its provider is paused: for the sender it keeps, or for
 * every sender that is free. In the second case that is the earliest instant at which any sender may write to
 * it. Null if a sender may write now.
 */
function providerPause(
  state: DispatchState,
  { lead, action, meter }: { lead: number; action: number; meter: number },
  at: number,
): number | null {
  const pauses = state.provider_pauses
  if (pauses === null) return null
  if (meter !== ANY_SENDER) return pausedUntil(pauses, state.meters[meter]?.sender_id, lead, at)
  const kinds = state.action_types.length
  let first = Number.POSITIVE_INFINITY
  for (const index of state.served_by[action] ?? []) {
    const until = pausedUntil(pauses, state.meters[index]?.sender_id, lead, at) ?? at
    first = Math.min(first, Math.max(until, state.ready[index * kinds + action] ?? until))
  }
  return first
}
