/**
 * Limits how many run at once and how many wait, first come first served; `null` means there was no room. The queue is bounded, so
 * that a busy caller cannot delay the others without end.
 */
export function createGate({ at_once, waiting }: { at_once: number; waiting: number }) {
  let running = 0
  const queue: (() => void)[] = []
  return async function enter<T>(work: () => Promise<T>): Promise<{ done: T } | null> {
    if (running >= at_once) {
      if (queue.length >= waiting) return null
      // The place is handed over directly, so that no newcomer can take it.
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
