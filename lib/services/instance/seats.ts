import { AppError } from '#lib/errors'
import { processState } from '#lib/process-state'

/**
 * Places in this process for what takes long, so many for one owner and so many for all: `take` answers what gives the place
 * back, and throws `rate_limited` where none is free. `called` says in words what is under way.
 */
export function seats(ofOwner: number, ofAll: number, called: string) {
  const taken = processState(`seats for ${called}`, () => new Map<string, number>())

  function take(userId: string): () => void {
    const mine = taken.get(userId) ?? 0
    const all = [...taken.values()].reduce((sum, count) => sum + count, 0)
    if (mine >= ofOwner || all >= ofAll)
      throw new AppError('rate_limited', {
        message:
          mine >= ofOwner
            ? `${ofOwner} ${called} of yours are under way; wait until one has ended.`
            : `Too many ${called} are under way just now; try again in a moment.`,
        retryAfterSeconds: 10,
      })
    taken.set(userId, mine + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (taken.get(userId) ?? 1) - 1
      if (left > 0) taken.set(userId, left)
      else taken.delete(userId)
    }
  }
  return { take }
}

/** Questions to the model that somebody waits for; runs in the background are counted by the engine. */
export const aiSeats = seats(4, 32, 'questions to the model')
