import { setImmediate as breath } from 'node:timers/promises'

/**
 * Does the same with many things, so many in one turn of the event loop: whoever else waits is heard in between. By their number and not by
 * a clock, so that a simulation goes the same way each time.
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
