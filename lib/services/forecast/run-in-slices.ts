import { setImmediate as breath } from 'node:timers/promises'
import type { WithPauses } from '#lib/domain/forecast/with-pauses'

/** As long as others may have to wait: to hear them costs as much as a few turns. */
const AT_A_TIME_MS = 5

/** Does work of any length, and in its pauses the process hears everybody else. */
export async function runInSlices<T>(work: WithPauses<T>, clock = () => performance.now()): Promise<T> {
  for (let since = clock(); ; ) {
    const { done, value } = work.next()
    if (done) return value
    if (clock() - since < AT_A_TIME_MS) continue
    await breath()
    since = clock()
  }
}
