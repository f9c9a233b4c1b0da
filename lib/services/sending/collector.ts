/** Outcomes are written together: a commit for each would be most of the work. */
const GROUP = 50
const GROUP_WAIT_MS = 10

/**
 * Gathers outcomes for a moment and writes them in groups; `add` resolves once its group is written. One group is written
 * at a time, since all of a campaign wait for the same lock anyhow: what comes meanwhile makes the next group larger.
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

/**
 * One after the other, in the order of asking. A claim and the outcomes of a worker need the same campaign: in turns neither
 * finds it locked by the other, which would cost a claim the wait for half of what is under way.
 */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Counts work that never rejects, and waits until less of it is under way; one waits at a time. */
export function createUnderway() {
  let count = 0
  let waiting: { limit: number; go: () => void } | undefined

  const add = (work: Promise<void>): void => {
    count += 1
    void work.then(() => {
      count -= 1
      if (waiting && count <= waiting.limit) waiting.go()
    })
  }
  const fallTo = async (limit: number): Promise<void> => {
    if (count > limit)
      await new Promise<void>((go) => {
        waiting = { limit, go }
      })
    waiting = undefined
  }
  return { add, fallTo, count: () => count }
}

/** Places for each mailbox: its server grants about four connections, and what follows them must be at hand. */
const PER_MAILBOX = 6
const FEWEST = 8
/** What a server takes in this time may be under way, so that one claim feeds it until the next. */
const AHEAD_MS = 200
/** Or in as long as so many claims take: outcomes are written between them, and each takes as long again. */
const CLAIMS_AHEAD = 4
const MEASURE_MS = 50

/**
 * How many actions may be under way: enough that no connection waits for work, and not more, since a crash leaves all of
 * them in doubt. A quick server earns a wide window; a slow one has little more than its connections hold. Where it is the
 * database that is slow, a window that became narrower with it would ask it for more and smaller claims.
 */
export function createWindow(capacity: number, clock: () => Date) {
  const senders = new Set<string>()
  let since = clock().getTime()
  let finished = 0
  let perMs = 0
  let claimMs = 0

  const size = (): number => {
    const now = clock().getTime()
    if (now - since >= MEASURE_MS) {
      perMs = finished / (now - since)
      since = now
      finished = 0
    }
    const fewest = Math.max(FEWEST, senders.size * PER_MAILBOX)
    const ahead = Math.max(AHEAD_MS, claimMs * CLAIMS_AHEAD)
    return Math.min(capacity, Math.max(fewest, Math.ceil(perMs * ahead)))
  }
  return {
    size,
    opened: (senderId: string) => void senders.add(senderId),
    finished: () => {
      finished += 1
    },
    /** How long a claim took, the wait for its turn included. */
    claimed: (ms: number) => {
      claimMs = (claimMs + ms) / 2
    },
  }
}
