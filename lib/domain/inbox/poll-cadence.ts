const MINUTE_MS = 60_000
/** Reads fall on whole marks of so many minutes, so that many mailboxes share a wake-up. */
export const MARK_MS = 5 * MINUTE_MS
/** From here on the sweep, which reads every mailbox once an hour, is often enough. */
export const SWEEP_MS = 60 * MINUTE_MS
/** A server that refuses is asked less often: some lock an account that is tried too much. */
const REFUSED_MS = 10 * MINUTE_MS

export type Quiet = {
  /** When something was last sent from it, or came in: since then nothing happened. Null: never. */
  since: number | null
  /** Whether the last reading failed. */
  failed?: boolean
}

/**
 * When a mailbox or an account is read next; null: not before the sweep does it. Answers come soon or late: the pause between
 * two reads is a twelfth of the silence so far, so every 5 minutes in the first hour after the last mail, every half hour
 * after six, and by the sweep alone after twelve. An answer is thus seen after a twelfth of the time that it took, at most.
 */
export function nextPoll({ since, failed }: Quiet, now: number): number | null {
  if (since === null) return null
  const pause = Math.max(MARK_MS, (now - since) / 12, failed ? REFUSED_MS : 0)
  if (pause >= SWEEP_MS) return null
  const mark = Math.floor((now + pause) / MARK_MS) * MARK_MS
  return mark > now ? mark : mark + MARK_MS
}

/** Before a follow-up leaves, its mailbox was read since then. */
export const FRESH_MS = 5 * MINUTE_MS

/** What passes by itself: a server out of reach, or one that hung up. */
const PASSING = new Set(['resolve', 'connect', 'lost', 'folder'])
/** A server that is away for so long is worth a word. */
const AWAY_MS = 15 * MINUTE_MS

/** Whether nobody but its owner ends it, or it has lasted so long that answers come in unseen. */
export const isUnreadForGood = (reason: string, since: number, now: number): boolean =>
  !PASSING.has(reason) || now - since >= AWAY_MS
