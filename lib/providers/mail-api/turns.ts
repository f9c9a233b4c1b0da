/** At most `most` tasks at once for each key; the others wait in order of arrival. */
export function createTurns(most: number) {
  const busy = new Map<string, { count: number; waiting: (() => void)[] }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = busy.get(key) ?? { count: 0, waiting: [] }
    busy.set(key, turn)
    if (turn.count >= most) await new Promise<void>((resolve) => turn.waiting.push(resolve))
    else turn.count += 1
    try {
      return await work()
    } finally {
      const next = turn.waiting.shift()
      if (next) next()
      else turn.count -= 1
      if (turn.count === 0) busy.delete(key)
    }
  }
}
