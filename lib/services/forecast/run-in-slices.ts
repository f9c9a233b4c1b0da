import { setImmediate as breath } from 'node:timers/promises'
import type { WithPauses } from '#lib/domain/forecast/with-pauses'

/** The longest slice. Yielding costs as much as a few turns of work. */
const AT_A_TIME_MS = 5

/** Runs work of any length in slices, letting the event loop run in between. */
export async function runInSlices<T>(work: WithPauses<T>, clock = () => performance.now()): Promise<T> {
  for (let since = clock(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    if (clock() - since < AT_A_TIME_MS) continue
    await breath()
    since = clock()
  }
}
