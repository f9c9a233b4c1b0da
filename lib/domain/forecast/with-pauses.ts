/** Work that stops every so many turns, so that whoever else waits may be heard meanwhile. */
export type WithPauses<T> = Generator<void, T>

/** As many turns as it takes without a pause: no more than a few milliseconds. */
export const TURNS_TO_PAUSE = 100

/** Does it without a pause. */
export function runToEnd<T>(work: WithPauses<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
