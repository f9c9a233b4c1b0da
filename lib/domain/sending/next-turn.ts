import { type ClockGroup, forgetWindow, isOpen, openingAfter } from '#lib/domain/sending/clock-groups'
import { CUT, type DispatchState } from '#lib/domain/sending/dispatch-state'
import { ANY_SENDER, findLane, type LaneState, laneToCome, nextLane } from '#lib/domain/sending/lanes'
import { headDue, headPlace, headRank } from '#lib/domain/sending/lead-queue'
import { closedBy, slotAt, type Waits } from '#lib/domain/sending/pacing'
import { anyReadyAt } from '#lib/domain/sending/sender-choice'

/** The loop's scratch state: which lane of which group has the slot (no lane: the group's next new lead), and when. */
export interface Turn {
  lane: LaneState | null
  group: ClockGroup | null
  at: number
  soonest: number
  hold: 'delay' | 'sender_limit' | 'window' | 'send_days'
}

export const startTurn = (from: number): Turn => ({
  lane: null,
  group: null,
  at: from,
  soonest: 0,
  hold: 'delay',
})

/** A lead was added that may go at `at`, which may be earlier than the next instant found so far. */
export function lookAgainFrom(state: DispatchState, turn: Turn, at: number): void {
  if (at >= turn.at) return
  turn.at = at
  for (const group of state.groups) forgetWindow(group)
}

type Taker = 'lead' | 'unknown' | 'nobody'

/**
 * Moves `turn.at` to the next instant at which both the campaign and some lead may act. If leads or senders
 * delayed the slot past the end of the window, the closed hours count as their delay too: without them the
 * slot would have been earlier that day.
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
 * Who takes a slot at `turn.at`. "unknown" if it is a lead that was not loaded. "nobody" if no lead may go;
 * then none may before `turn.soonest`, and `turn.hold` says what they wait for.
 */
function choose(state: DispatchState, turn: Turn): Taker {
  forget(turn)
  for (const group of state.groups) {
    if (!isOpen(group, turn.at)) continue
    if (group.is_unloaded) {
      turn.group = group
      return 'unknown'
    }
    for (let action = 0; action < group.lanes.kinds; action++) {
      const lane = findLane(group.lanes, ANY_SENDER, action)
      if (lane && lane.queue.size > 0 && mayGo(turn, headDue(lane.queue), anyReadyAt(state, action)))
        takeLane(turn, group, lane)
    }
    const lane = nextLane(group.lanes, state.ready, turn.at)
    if (lane) takeLane(turn, group, lane)
    else if (!turn.lane) waitForSender(state, turn, group)
  }
  if (turn.lane) return headPlace(turn.lane.queue) === CUT ? 'unknown' : 'lead'
  const who = chooseNew(state, turn)
  if (who === 'nobody') for (const group of state.groups) waitForOpening(state, turn, group)
  return who
}

/** Clears the result of the previous choice. */
function forget(turn: Turn): void {
  turn.lane = null
  turn.group = null
  turn.soonest = Number.POSITIVE_INFINITY
}

function takeLane(turn: Turn, group: ClockGroup, lane: LaneState): void {
  if (turn.lane && !isAhead(lane, turn.lane)) return
  turn.lane = lane
  turn.group = group
}

/** No lane may go now; records when the first one may. */
function waitForSender(state: DispatchState, turn: Turn, { lanes }: ClockGroup): void {
  const lane = laneToCome(lanes, state.ready)
  if (lane) mayGo(turn, headDue(lane.queue), state.ready[lane.sender * lanes.kinds + lane.action] ?? 0)
}

const newReady = (state: DispatchState) => anyReadyAt(state, state.step_action[0] ?? 0)

/** The first new lead, by lead_index, whose clock is in a window. Leads that were not loaded come after all that were. */
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

/** Whether a group may have new leads that were not loaded. */
const mayHaveMore = (state: DispatchState, group: ClockGroup): boolean =>
  !group.is_unloaded && group.new_due > state.new_cut_after

const nextNew = (state: DispatchState, group: ClockGroup): number =>
  state.lead_index[state.new_order[group.new_next] ?? -1] ?? Number.MAX_VALUE

/** Remembers when the first lead of a closed group may go: not before its next window, and not before it is due. */
function waitForOpening(state: DispatchState, turn: Turn, group: ClockGroup): void {
  const { schedule, opens_at } = group
  if (!schedule || opens_at <= turn.at || opens_at >= turn.soonest) return
  const first: Turn = { ...turn, at: Number.NEGATIVE_INFINITY, soonest: Number.POSITIVE_INFINITY }
  if (group.is_unloaded) first.soonest = turn.at
  for (let action = 0; action < group.lanes.kinds; action++) {
    const lane = findLane(group.lanes, ANY_SENDER, action)
    if (lane && lane.queue.size > 0) mayGo(first, headDue(lane.queue), anyReadyAt(state, action))
  }
  // One lead that could go now is enough: it goes as soon as its clock's window opens.
  if (nextLane(group.lanes, state.ready, turn.at)) first.soonest = Math.min(first.soonest, turn.at)
  else waitForSender(state, first, group)
  if (group.new_next < group.new_end || mayHaveMore(state, group))
    mayGo(first, group.new_due, newReady(state))
  if (first.soonest === Number.POSITIVE_INFINITY) return
  const when = openingAfter(group, first.soonest)
  if (when >= turn.soonest) return
  turn.soonest = when
  turn.hold = first.soonest > turn.at ? first.hold : closedBy(schedule, turn.at)
}

/** Whether a lead due at `due` with a sender free at `ready` may go now; if not, records when it may. */
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
