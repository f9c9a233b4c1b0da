import { SweepRequested } from '#lib/events/bells'
import { emit } from '#lib/events/client'

const EVERY_MS = 2_000
const TRIES = 60

/**
 * Whoever starts asks for a sweep: what became due while nobody ran is done now, and bells that were lost with the engine are
 * armed anew. It is asked until the engine, which may start later, has heard it.
 */
export function askForSweep(tries = TRIES, id = crypto.randomUUID()): void {
  if (tries === 0) return
  setTimeout(async () => {
    // The same one each time: an answer that was lost does not make two of it.
    if (!(await emit(SweepRequested.create({}, { id: `sweep:${id}` })))) askForSweep(tries - 1, id)
  }, EVERY_MS).unref()
}
