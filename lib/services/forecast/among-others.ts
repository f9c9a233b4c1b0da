import { setImmediate as breath } from 'node:timers/promises'
import type { WithPauses } from '#lib/domain/sending/dispatch-turns'

/** Does work of any length, and in its pauses the process hears everybody else. */
export async function amongOthers<T>(work: WithPauses<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await breath()
  }
}
