import { AppError } from '#lib/errors'
import { processState } from '#lib/process-state'

/**
 * Places in this process for what takes long, so many for one owner and so many for all: `take` answers what gives the place
 * back, and throws `rate_limited` where none is free. `called` says in words what is under way.
 */
export function seats(ofOwner: number, ofAll: number, called: string) {
  const held = processState(`seats for ${called}`, () => new Map<string, number>())

  function take(userId: string): () => void {
    const mine = held.get(userId) ?? 0
    const all = [...held.values()].reduce((sum, count) => sum + count, 0)
    if (mine >= ofOwner || all >= ofAll)
      throw new AppError('rate_limited', {
        message:
          mine >= ofOwner
            ? `${ofOwner} ${called} of yours are under way; wait until one has ended.`
            : `Too many ${called} are under way just now; try again in a moment.`,
        retryAfterSeconds: 10,
      })
    held.set(userId, mine + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (held.get(userId) ?? 1) - 1
      if (left > 0) held.set(userId, left)
      else held.delete(userId)
    }
  }
  return { take }
}

/** Questions to the model that somebody waits for; runs in the background are counted by the engine. */
export const aiSeats = seats(4, 32, 'questions to the model')
