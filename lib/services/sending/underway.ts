/**
 * Runs tasks one after the other, in order. A worker's claims and its outcomes lock the same campaign: run in turns, neither waits
 * on the other's lock, which would cost a claim half the time of what is under way.
 */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

/** Counts tasks under way (which must never reject) and lets one caller wait until there are fewer. */
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

/** Places per mailbox: a server allows about four connections, and each needs its next message ready. */
const PER_MAILBOX = 6
const FEWEST = 8
/** The window holds what the server accepts in this time, so one claim keeps it busy until the next. */
const AHEAD_MS = 200
/** Or in the time of this many claims, since writing outcomes between them takes as long as claiming. */
const CLAIMS_AHEAD = 4
const MEASURE_MS = 50

/**
 * How many actions may be under way: enough to keep every connection busy, and no more, since a crash makes all of them
 * uncertain. A fast server gets a wide window; a slow one little more than its connections hold. A slow database does not narrow
 * the window, because more and smaller claims would slow it further.
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
    /** Reports how long a claim took, including the wait for its turn. */
    claimed: (ms: number) => {
      claimMs = (claimMs + ms) / 2
    },
  }
}
