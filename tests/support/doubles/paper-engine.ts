import { armAt, BELLS, type Bell, type BellState, EARLY_MS, LOST_MS } from '#lib/domain/sending/wake'

const HOUR_MS = 3_600_000
/** Minute of the hour at which the sweep comes, as in inngest/functions/sweep.ts. */
const SWEEP_MINUTE = 7

/** One kind of work: when it is next due, how to do all that is due, and what the sweep does if that is more. */
export type Work = { due: () => number | null; act: (now: number) => void; sweep?: (now: number) => void }
export type Losing = (at: number) => boolean

type Event = { at: number; bell: Bell }

/**
 * An engine and the table `wake` in memory: bells ring as lib/services/instance/bells.ts arms them, with one execution each, since
 * they have no steps; the sweep runs each hour. `loses` says which events never arrive; `lateMs` is how late the others are.
 */
export function paperEngine(
  works: Record<Bell, Work>,
  { pause_ms, loses, lateMs }: { pause_ms: number; loses: Losing; lateMs: () => number },
) {
  const wake = new Map(BELLS.map((bell): [Bell, BellState] => [bell, { armed_for: null, rung_at: null }]))
  const stateOf = (bell: Bell) => wake.get(bell) ?? { armed_for: null, rung_at: null }
  const events: Event[] = []
  const executions = { bells: 0, sweeps: 0 }

  function send(event: Event) {
    if (loses(event.at)) return
    const after = events.findIndex((one) => one.at > event.at)
    events.splice(after < 0 ? events.length : after, 0, event)
  }
  function ring(now: number, { anew = false, pause = pause_ms } = {}) {
    for (const bell of BELLS) {
      const { armed_for, rung_at } = stateOf(bell)
      const at = armAt({ armed_for: anew ? null : armed_for, rung_at }, works[bell].due(), now, pause)
      const isFree = armed_for === null || armed_for < now - LOST_MS
      if (at === null || !(anew || isFree || armed_for > at)) continue
      wake.set(bell, { armed_for: at, rung_at })
      send({ at: at + lateMs(), bell })
    }
  }
  function noteRing(bell: Bell, now: number) {
    const { armed_for } = stateOf(bell)
    const isToCome = armed_for !== null && armed_for > now + EARLY_MS
    wake.set(bell, { armed_for: isToCome ? armed_for : null, rung_at: now })
  }
  function sweep(now: number) {
    executions.sweeps += 1
    for (const bell of BELLS) noteRing(bell, now)
    ring(now, { anew: true })
    for (const bell of BELLS) (works[bell].sweep ?? works[bell].act)(now)
    ring(now)
  }
  function answer({ bell, at }: Event) {
    executions.bells += 1
    noteRing(bell, at)
    works[bell].act(at)
    ring(at)
  }

  return {
    /** As any code does that writes work outside the engine. */
    ring: (now: number) => ring(now, { pause: 0 }),
    play(from: number, until: number) {
      let next = Math.ceil(from / HOUR_MS) * HOUR_MS + SWEEP_MINUTE * 60_000
      for (;;) {
        const event = events[0]
        if (Math.min(event?.at ?? next, next) > until) break
        if (event && event.at <= next) {
          events.shift()
          answer(event)
          continue
        }
        sweep(next)
        next += HOUR_MS
      }
      return executions
    },
  }
}
