import { setImmediate as breath } from 'node:timers/promises'

/**
 * Maps over many items, `most` per turn of the event loop, so that other requests are served in between. Counted rather than timed,
 * to keep simulations deterministic.
 */
export async function inTurns<T, R>(
  things: readonly T[],
  { most }: { most: number },
  work: (thing: T) => R,
): Promise<R[]> {
  const done: R[] = []
  for (const [place, thing] of things.entries()) {
    if (place > 0 && place % most === 0) await breath()
    done.push(work(thing))
  }
  return done
}
