import { TURNS_TO_PAUSE, type WithPauses } from '#lib/domain/forecast/with-pauses'
import { type DispatchState, enqueue } from '#lib/domain/sending/dispatch-state'
import { headDue, headPlace, headRank, leadQueue, pop, push } from '#lib/domain/sending/lead-queue'
import { lookAgainFrom, nextTurn, startTurn, type Turn } from '#lib/domain/sending/next-turn'
import { noWaits, type Waits } from '#lib/domain/sending/pacing'
import { catchUp } from '#lib/domain/sending/sender-choice'
import { type DecisionSink, takeTurn } from '#lib/domain/sending/take-turn'

/** One campaign of a joint forecast, and how far it has been simulated. */
export interface Walk {
  readonly state: DispatchState
  readonly turn: Turn
  readonly waits: Waits
  readonly sink: DecisionSink
  /** Nothing happens before this instant; Infinity: nothing until a lead is woken. */
  at: number
  /** Its places by lead_index. */
  readonly places: Int32Array
}

/** `cut`: more is to come after the last simulated instant. */
export type WalkEnd = 'over' | 'cut' | 'too_far'

export function startWalk(state: DispatchState, from: number, sink: DecisionSink): Walk {
  const most = state.lead_index.reduce((last, lead) => Math.max(last, lead), -1)
  const places = new Int32Array(most + 1).fill(-1)
  for (const [place, lead] of state.lead_index.entries()) places[lead] = place
  return { state, turn: startTurn(from), waits: noWaits(), sink, at: from, places }
}

/**
 * Simulates campaigns that share senders and people on one timeline. At each instant, the campaigns that have
 * something to do act in their order, as the dispatcher claims them. An action of one campaign may delay
 * another's next instant, which is noticed when that instant comes, or bring it forward, which `wake`
 * reports.
 *
 * Before each instant, `settle` is called to wake leads for which earlier instants left room; it returns true
 * if it did.
 */
export function walkTogether(
  walks: readonly Walk[],
  { until, isOver }: { until: () => number; isOver: () => boolean },
  settle: (before: number) => boolean,
) {
  const queue = leadQueue(Math.max(16, walks.length * 2))
  const lookAhead = (walk: Walk, rank: number) => {
    catchUp(walk.state, walk.turn.at)
    const who = nextTurn(walk.state, walk.turn, walk.waits)
    walk.at = who === 'lead' ? walk.turn.at : Number.POSITIVE_INFINITY
    return who === 'lead' && isFirst(walk.at, rank)
  }
  const isFirst = (at: number, rank: number) =>
    queue.size === 0 || at < headDue(queue) || (at === headDue(queue) && rank <= headRank(queue))
  const put = (walk: Walk, rank: number) => {
    if (walk.at < Number.POSITIVE_INFINITY) push(queue, walk.at, rank, rank)
  }

  /** Makes a lead due at `due`. */
  function wake(rank: number, lead: number, due: number): void {
    const walk = walks[rank]
    const place = walk?.places[lead] ?? -1
    if (!walk || place < 0) return
    enqueue(walk.state, place, due)
    lookAgainFrom(walk.state, walk.turn, due)
    if (due >= walk.at) return
    walk.at = due
    put(walk, rank)
  }

  /**
   * Runs to the end. `too_far`: more than `most` turns were needed, counting every campaign and every kind of
   * decision.
   */
  function* run(most: number): WithPauses<WalkEnd> {
    for (const [rank, walk] of walks.entries()) put(walk, rank)
    let turns = 0
    while (!isOver()) {
      if (turns > most) return 'too_far'
      if (settle(queue.size > 0 ? headDue(queue) : Number.POSITIVE_INFINITY)) continue
      if (queue.size === 0) return 'over'
      const rank = headPlace(queue)
      const at = headDue(queue)
      if (at > until()) return 'cut'
      pop(queue)
      const walk = walks[rank]
      if (!walk || walk.at !== at) continue
      while (turns <= most && lookAhead(walk, rank) && walk.at <= until() && !isOver()) {
        if (settle(walk.at)) continue
        takeTurn(walk.state, walk.turn, walk.sink)
        turns++
        if (turns % TURNS_TO_PAUSE === 0) yield
      }
      put(walk, rank)
    }
    return 'over'
  }
  return { run, wake }
}
