/** Work that yields after a number of turns so that its caller can let other tasks run. */
export type WithPauses<T> = Generator<void, T>

/** Turns between two pauses; they take a few milliseconds at most. */
export const TURNS_TO_PAUSE = 100

/** Runs the work to its end without pausing. */
export function runToEnd<T>(work: WithPauses<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
