import { headDue, headRank, type LeadQueue, leadQueue, push } from '#lib/domain/sending/lead-queue'
import { keyAt, leastPlace, makeTournament, setKey, type Tournament } from '#lib/domain/sending/tournament'

/** Values of `LaneState.sender`: a meter's index, or one of these. */
export const ANY_SENDER = -1
export const LOST_SENDER = -2

/** One queue: leads that wait for one kind of action from one sender. */
export interface LaneState {
  readonly sender: number
  readonly action: number
  readonly queue: LeadQueue
}

/**
 * The lanes of one clock. With hundreds of mailboxes, only the lanes that may come next are examined. Entries
 * of `open` and `shut` may be outdated, but only too early, because a sender's next free instant never moves
 * back. Both are indexed like `ready`.
 */
export interface Lanes {
  readonly kinds: number
  /**
   * [(sender - LOST_SENDER) * kinds + action]. Created on demand: most combinations of clock and sender have
   * no leads.
   */
  readonly all: (LaneState | undefined)[]
  /** Lanes whose first lead could go when last examined, keyed by when it became due. */
  readonly open: Tournament
  /** The other lanes, keyed by when their first lead may go. */
  readonly shut: Tournament
}

export const makeLanes = ({ meters, kinds }: { meters: number; kinds: number }): Lanes => ({
  kinds,
  all: [],
  open: makeTournament(meters * kinds),
  shut: makeTournament(meters * kinds),
})

const laneIndex = ({ kinds }: Lanes, sender: number, action: number) =>
  (sender - LOST_SENDER) * kinds + action

export const findLane = (lanes: Lanes, sender: number, action: number): LaneState | undefined =>
  lanes.all[laneIndex(lanes, sender, action)]

export function openLane(lanes: Lanes, sender: number, action: number): LaneState {
  const index = laneIndex(lanes, sender, action)
  const lane = lanes.all[index] ?? { sender, action, queue: leadQueue() }
  lanes.all[index] = lane
  return lane
}

/** Adds a lead to a lane; `ready` says, by meter and action, when that sender may act. */
export function joinLane(
  lanes: Lanes,
  lane: LaneState,
  ready: Float64Array,
  lead: { due: number; rank: number; place: number },
): void {
  const { queue, sender, action } = lane
  push(queue, lead.due, lead.rank, lead.place)
  if (sender < 0) return
  const { open, shut } = lanes
  const place = sender * lanes.kinds + action
  const due = headDue(queue)
  const rank = headRank(queue)
  const since = keyAt(open, place)
  if (since === Number.POSITIVE_INFINITY) {
    const when = Math.max(due, ready[place] ?? 0)
    if (when < keyAt(shut, place)) setKey(shut, place, when)
  } else if (due < since || (due === since && rank < (open.tie[place] ?? 0))) setKey(open, place, due, rank)
}

/**
 * Among lanes whose first lead may go at `at`, the one whose lead has waited longest; null if there is none.
 */
export function nextLane(lanes: Lanes, ready: Float64Array, at: number): LaneState | null {
  const { open, shut } = lanes
  for (let place = leastPlace(shut); keyAt(shut, place) <= at; place = leastPlace(shut)) {
    const queue = senderLane(lanes, place)?.queue
    const when = queue ? Math.max(headDue(queue), ready[place] ?? 0) : Number.POSITIVE_INFINITY
    setKey(shut, place, when <= at ? Number.POSITIVE_INFINITY : when)
    if (queue && when <= at) setKey(open, place, headDue(queue), headRank(queue))
  }
  for (
    let place = leastPlace(open);
    keyAt(open, place) < Number.POSITIVE_INFINITY;
    place = leastPlace(open)
  ) {
    const lane = senderLane(lanes, place)
    const due = lane ? headDue(lane.queue) : Number.POSITIVE_INFINITY
    const rank = lane ? headRank(lane.queue) : Number.POSITIVE_INFINITY
    const when = Math.max(due, ready[place] ?? 0)
    if (when > at) {
      setKey(open, place, Number.POSITIVE_INFINITY)
      setKey(shut, place, when)
    } else if (lane && due === keyAt(open, place) && rank === open.tie[place]) return lane
    else setKey(open, place, due, rank)
  }
  return null
}

/** After `nextLane` found none: the lane whose first lead may go soonest. */
export function laneToCome(lanes: Lanes, ready: Float64Array): LaneState | null {
  const { shut } = lanes
  for (
    let place = leastPlace(shut);
    keyAt(shut, place) < Number.POSITIVE_INFINITY;
    place = leastPlace(shut)
  ) {
    const lane = senderLane(lanes, place)
    const when = lane ? Math.max(headDue(lane.queue), ready[place] ?? 0) : Number.POSITIVE_INFINITY
    if (lane && when === keyAt(shut, place)) return lane
    setKey(shut, place, when)
  }
  return null
}

const senderLane = ({ all, kinds }: Lanes, place: number): LaneState | undefined =>
  all[place - LOST_SENDER * kinds]
