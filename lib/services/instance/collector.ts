/** How many items, and for how long, are gathered before they are written: a commit for each one would be most of the work. */
const GROUP = 50
const GROUP_WAIT_MS = 10

/**
 * Gathers items for a moment and writes them in groups; `add` resolves once the group of its item is written, and rejects if that fails.
 * Groups are written one at a time, on one connection. Items that arrive meanwhile form the next group.
 */
export function createCollector<T>(write: (batch: T[]) => Promise<unknown>) {
  let batch: T[] = []
  let group: PromiseWithResolvers<void> = Promise.withResolvers()
  let timer: NodeJS.Timeout | undefined
  let isWriting = false

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    isWriting = true
    const [ready, written] = [batch, group]
    batch = []
    group = Promise.withResolvers()
    await write(ready).then(() => written.resolve(), written.reject)
    isWriting = false
    schedule()
  }
  const schedule = () => {
    if (isWriting || batch.length === 0) return
    if (batch.length >= GROUP) void flush()
    else timer ??= setTimeout(flush, GROUP_WAIT_MS)
  }
  const add = (item: T): Promise<void> => {
    batch.push(item)
    const { promise } = group
    schedule()
    return promise
  }
  return { add }
}
