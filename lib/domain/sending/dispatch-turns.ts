import type { DispatchState } from '#lib/domain/sending/dispatch-state'
import { nextTurn, startTurn } from '#lib/domain/sending/next-turn'
import type { Waits } from '#lib/domain/sending/pacing'
import { type DecisionSink, takeTurn } from '#lib/domain/sending/take-turn'

/** When to look again, and the zone of the lead that comes next; null: the campaign's zone. */
export type NextLook = { at: number; timezone: string | null }

/**
 * Takes every slot from `from` to `until`, at most `cap`, and returns the next one (null: none will come). Adds to `waits` how long
 * each rule delayed each slot, including the returned one.
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
