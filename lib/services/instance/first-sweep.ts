import { SweepRequested } from '#lib/events/bells'
import { emit } from '#lib/events/client'

const EVERY_MS = 2_000
const TRIES = 60
const MINUTE_MS = 60_000

/**
 * Whoever starts asks for a sweep: what became due while nobody ran is done now, and bells that were lost with the engine are
 * armed anew. It is asked until the engine, which may start later, has heard it.
 */
export function askForSweep(tries = TRIES): void {
  if (tries === 0) return
  setTimeout(async () => {
    // Many processes that start at once ask for one.
    const id = `sweep:${Math.floor(Date.now() / MINUTE_MS)}`
    if (!(await emit(SweepRequested.create({}, { id })))) askForSweep(tries - 1)
  }, EVERY_MS).unref()
}
