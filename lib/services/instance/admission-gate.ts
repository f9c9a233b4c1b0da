/**
 * Lets so many do something at once, and so many wait for it, in the order in which they came; `null` says that there was no
 * room left. What waits is bounded, so that whoever asks a lot makes nobody's turn come late without end.
 */
export function createGate({ at_once, waiting }: { at_once: number; waiting: number }) {
  let running = 0
  const queue: (() => void)[] = []
  return async function enter<T>(work: () => Promise<T>): Promise<{ done: T } | null> {
    if (running >= at_once) {
      if (queue.length >= waiting) return null
      // Whoever leaves hands the place over: nobody slips in between.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else running += 1
    try {
      return { done: await work() }
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
