/**
 * Chooses the next waiting item: the first item of the owner with the fewest items in progress. A single
 * owner may use all lanes while no other owner waits, and only a fair share once one does.
 */
export function fairTurns<Item>(items: readonly Item[], toOwner: (item: Item) => string) {
  const waiting = Map.groupBy(items, toOwner)
  const underWay = new Map<string, number>()
  const busy = (owner: string) => underWay.get(owner) ?? 0

  function take(): Item | null {
    let next: string | null = null
    for (const owner of waiting.keys()) if (next === null || busy(owner) < busy(next)) next = owner
    if (next === null) return null
    const queue = waiting.get(next) ?? []
    const item = queue.shift() ?? null
    // Moved to the end, so that owners with equal counts take turns.
    waiting.delete(next)
    if (queue.length > 0) waiting.set(next, queue)
    underWay.set(next, busy(next) + 1)
    return item
  }

  const done = (item: Item) => void underWay.set(toOwner(item), busy(toOwner(item)) - 1)
  return { take, done }
}
