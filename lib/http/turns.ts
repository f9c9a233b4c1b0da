/**
 * Turns at the event loop: one of those that wait begins in each, and everything else is heard in between. What came together
 * and began together would all be done first: 200 pages, or 200 sign-ins, held /health up for a second.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []

  function beginOne(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(beginOne)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(beginOne)
    })
}
