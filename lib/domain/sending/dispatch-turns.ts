import { moveDays, toDay, type Zone } from '#lib/domain/calendar/zoned-time'
import { conditionHolds, type StepRule } from '#lib/domain/campaigns/step-conditions'
import {
  ANY_SENDER,
  type ClockGroup,
  forgetWindow,
  isOpen,
  type LaneState,
  openingAfter,
} from '#lib/domain/sending/clock-groups'
import type { ContactHold } from '#lib/domain/sending/contact-hold'
import { CUT, type DispatchState, enqueue, refreshReady } from '#lib/domain/sending/dispatch-state'
import { headDue, headPlace, headRank, pop } from '#lib/domain/sending/lead-queue'
import { compareTurns, countTurn } from '#lib/domain/sending/member-rotation'
import { closedBy, slotAt, takeSlot, type Waits } from '#lib/domain/sending/pacing'
import { isMatch } from '#lib/domain/sending/provider-matching'
import { pausedUntil, providerHold } from '#lib/domain/sending/provider-pause'
import { roomOn, takeFrom } from '#lib/domain/sending/sender-limits'

/** Told of every decision; `place` is the lead's place in the state's arrays, `step` and `next` count from 1. */
export interface DecisionSink {
  action(place: number, step: number, meter: number, at: number, nextDue: number | null): void
  skip(place: number, step: number, at: number, nextDue: number | null): void
  /** The lead's person is away, or the contact policy makes them wait (`hold`): it waits for the same step until then. */
  putOff(place: number, step: number, until: number, hold: ContactHold | null): void
}

/** When to look again, and by whose clock the lead lives that comes next then; null: by the campaign's. */
export type NextLook = { at: number; timezone: string | null }

/**
 * Takes every slot from `from` to `until`, at most `cap`, and answers the next one (null: none will come).
 * `waits` is charged with the waiting before each slot, also the one that is answered.
 */
export function runDispatch(
  state: DispatchState,
  from: number,
  until: number,
  cap: number,
  waits: Waits,
  sink: DecisionSink,
): NextLook | null {
  const turn = startTurn(from)
  for (let taken = 0; ; taken++) {
    const who = nextTurn(state, turn, waits)
    if (who === 'nobody') return null
    if (turn.at > until || taken >= cap || who === 'unknown')
      return { at: turn.at, timezone: turn.group?.schedule ? turn.group.zone.timezone : null }
    takeTurn(state, turn, sink)
  }
}

export const startTurn = (from: number): Turn => ({
  lane: null,
  group: null,
  at: from,
  soonest: 0,
  hold: 'delay',
})

/** Somebody came to wait for their turn from an instant on, which may lie before the next that was found. */
export function lookAgainFrom(state: DispatchState, turn: Turn, at: number): void {
  if (at >= turn.at) return
  turn.at = at
  for (const group of state.groups) forgetWindow(group)
}

/** Scratch of the loop: which lane of which group has the slot (no lane: the group's next new lead) and when. */
export interface Turn {
  lane: LaneState | null
  group: ClockGroup | null
  at: number
  soonest: number
  hold: 'delay' | 'sender_limit' | 'window' | 'send_days'
}

type Taker = 'lead' | 'unknown' | 'nobody'

/**
 * Moves `turn.at` to the next instant at which both the campaign and some lead may act. Once leads or senders made it wait, a
 * night that follows is charged to them too: without them the slot would have been today's.
 */
export function nextTurn(state: DispatchState, turn: Turn, waits: Waits): Taker {
  let cause: Turn['hold'] | null = null
  for (;;) {
    const open = slotAt(state.pace, turn.at, cause === null ? waits : undefined)
    if (open === null) return 'nobody'
    if (cause !== null) waits[cause] += open - turn.at
    turn.at = open
    const who = choose(state, turn)
    if (who !== 'nobody') return who
    if (turn.soonest === Number.POSITIVE_INFINITY) return 'nobody'
    if (cause === null || turn.hold === 'delay' || turn.hold === 'sender_limit') cause = turn.hold
    waits[cause] += turn.soonest - turn.at
    turn.at = turn.soonest
  }
}

/**
 * Who takes a slot at `turn.at`. "unknown" when it is somebody who was not loaded; "nobody" when none may, and then
 * `turn.soonest` is an instant before which none does, and `turn.hold` what they wait for.
 */
function choose(state: DispatchState, turn: Turn): Taker {
  turn.lane = null
  turn.group = null
  turn.soonest = Number.POSITIVE_INFINITY
  for (const group of state.groups) {
    if (!isOpen(group, turn.at)) continue
    if (group.is_unloaded) {
      turn.group = group
      return 'unknown'
    }
    for (const lane of group.lanes) {
      if (lane.queue.size === 0 || lane.sender < ANY_SENDER) continue
      if (!mayGo(turn, headDue(lane.queue), readyFor(state, lane))) continue
      if (turn.lane && !isAhead(lane, turn.lane)) continue
      turn.lane = lane
      turn.group = group
    }
  }
  if (turn.lane) return headPlace(turn.lane.queue) === CUT ? 'unknown' : 'lead'
  const who = chooseNew(state, turn)
  if (who === 'nobody') for (const group of state.groups) waitForOpening(state, turn, group)
  return who
}

const readyFor = (state: DispatchState, { sender, action }: LaneState): number =>
  (sender === ANY_SENDER
    ? state.any_ready[action]
    : state.ready[sender * state.action_types.length + action]) ?? Number.POSITIVE_INFINITY

const newReady = (state: DispatchState) =>
  state.any_ready[state.step_action[0] ?? 0] ?? Number.POSITIVE_INFINITY

/** Of the new leads whose clock stands in a window the first by lead_index. Who was not loaded comes behind all who were. */
function chooseNew(state: DispatchState, turn: Turn): Taker {
  const ready = newReady(state)
  let first = Number.POSITIVE_INFINITY
  for (const group of state.groups) {
    const isLeft = group.new_next < group.new_end
    if ((!isLeft && !mayHaveMore(state, group)) || !isOpen(group, turn.at)) continue
    if (!mayGo(turn, group.new_due, ready)) continue
    const index = isLeft ? nextNew(state, group) : Number.MAX_VALUE
    if (index >= first) continue
    first = index
    turn.group = group
  }
  if (turn.group === null) return 'nobody'
  return first === Number.MAX_VALUE ? 'unknown' : 'lead'
}

/** Whether new leads of a group may be there that were not loaded. */
const mayHaveMore = (state: DispatchState, group: ClockGroup): boolean =>
  !group.is_unloaded && group.new_due > state.new_cut_after

const nextNew = (state: DispatchState, group: ClockGroup): number =>
  state.lead_index[state.new_order[group.new_next] ?? -1] ?? Number.MAX_VALUE

/** Remembers when the first lead of a group that is closed may go: no earlier than its next window, and than it is due. */
function waitForOpening(state: DispatchState, turn: Turn, group: ClockGroup): void {
  const { schedule, opens_at } = group
  if (!schedule || opens_at <= turn.at || opens_at >= turn.soonest) return
  const first: Turn = { ...turn, at: Number.NEGATIVE_INFINITY, soonest: Number.POSITIVE_INFINITY }
  if (group.is_unloaded) first.soonest = turn.at
  for (const lane of group.lanes)
    if (lane.queue.size > 0 && lane.sender >= ANY_SENDER)
      mayGo(first, headDue(lane.queue), readyFor(state, lane))
  if (group.new_next < group.new_end || mayHaveMore(state, group))
    mayGo(first, group.new_due, newReady(state))
  if (first.soonest === Number.POSITIVE_INFINITY) return
  const when = openingAfter(group, first.soonest)
  if (when >= turn.soonest) return
  turn.soonest = when
  turn.hold = first.soonest > turn.at ? first.hold : closedBy(schedule, turn.at)
}

/** Whether a lead due at `due` whose sender is free at `ready` may go now; else remembers when it will. */
function mayGo(turn: Turn, due: number, ready: number): boolean {
  const when = Math.max(due, ready)
  if (when <= turn.at) return true
  if (when < turn.soonest) {
    turn.soonest = when
    turn.hold = ready > due ? 'sender_limit' : 'delay'
  }
  return false
}

function isAhead(lane: LaneState, other: LaneState): boolean {
  const due = headDue(lane.queue)
  const otherDue = headDue(other.queue)
  return due < otherDue || (due === otherDue && headRank(lane.queue) < headRank(other.queue))
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

  // A lead's next step is never planned together with the one before it, whose outcome may end the lead.
  const next = due === null ? null : Math.max(due, at + 1)
  sink.action(place, index + 1, meter, at, next)
  state.contact?.acted(lead, at)
  if (next === null) state.contact?.over(lead, at)
  else enqueue(state, place, next)
}

/** Nobody asks the network for a mail's sake: who is not known to be connected is taken not to be. */
function holds(state: DispatchState, { channel, condition }: StepRule, place: number): boolean {
  if (!condition || condition === 'always') return true
  const facts = state.facts?.[place - state.new_count] ?? state.unknown
  const known = channel === 'email' ? { ...facts, connected: facts.connected ?? false } : facts
  return conditionHolds(condition, known)
}

/**
 * Until when the provider of a lead is not written to: by the sender that it keeps, or by all of those that were free; then
 * it is asked again when the first sender may. Null: there is one that may write to it.
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

/**
 * Of the senders that may take this action now, the one with the most headroom; ties: the first, so the lowest id. Where new
 * leads are spread over members, that of whoever got fewest so far, and only then the headroom. Where providers are matched,
 * those of the lead's own go before all others; if none of them is free at this instant, no lead waits for one.
 */
function chooseSender(state: DispatchState, action: number, at: number, lead: number): number {
  const kinds = state.action_types.length
  const { ready, room, room_day, seen, meters, provider_pauses, provider_matching, turns } = state
  const counted = state.counted_as[action] ?? 0
  let best = ANY_SENDER
  let most = -1
  let isMatched = false
  // Most senders live by one zone.
  let zone: Zone | null = null
  let day = 0
  for (const index of state.served_by[action] ?? []) {
    const cell = index * kinds + action
    const meter = meters[index]
    if (!meter || (ready[cell] ?? 0) > at) continue
    if (provider_pauses && pausedUntil(provider_pauses, meter.sender_id, lead, at) !== null) continue
    const fits = isMatch(provider_matching, meter.sender_id, lead)
    if (isMatched && !fits) continue
    if (meter.zone !== zone) {
      zone = meter.zone
      day = toDay(zone, at)
    }
    if (room_day[cell] !== day || seen[index] !== meter.uses) {
      room_day[cell] = day
      room[cell] = roomOn(meter, counted, day)
    }
    const left = room[cell] ?? 0
    const turn = turns && best !== ANY_SENDER ? compareTurns(turns, index, best) : 0
    if (fits !== isMatched || turn < 0 || (turn === 0 && left > most)) {
      best = index
      most = left
      isMatched = fits
    }
  }
  return best
}
