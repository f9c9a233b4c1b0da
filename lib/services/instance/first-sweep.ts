import { SweepRequested } from '#lib/events/bells'
import { emit } from '#lib/events/client'

const EVERY_MS = 2_000
const TRIES = 60

/**
 * Every process asks for a sweep when it starts: it does what became due while nothing ran, and re-arms bells lost with the engine.
 * Repeated until the engine, which may start later, accepts it.
 */
export function askForSweep(tries = TRIES, id = crypto.randomUUID()): void {
  if (tries === 0) return
  setTimeout(async () => {
    // One event id for all tries, so that a lost response does not cause two sweeps.
    if (!(await emit(SweepRequested.create({}, { id: `sweep:${id}` })))) askForSweep(tries - 1, id)
  }, EVERY_MS).unref()
}
