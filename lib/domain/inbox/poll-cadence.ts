const MINUTE_MS = 60_000
/** Reads happen at multiples of this interval, so that many mailboxes share a wake-up. */
export const MARK_MS = 5 * MINUTE_MS
/** Beyond this pause, the hourly sweep over all mailboxes is frequent enough. */
export const SWEEP_MS = 60 * MINUTE_MS
/** A server that refused is asked less often, since some lock accounts after too many attempts. */
const REFUSED_MS = 10 * MINUTE_MS

export type Quiet = {
  /** The last time something was sent or received; null: never. */
  since: number | null
  /** Whether the last read failed. */
  failed?: boolean
}

/**
 * When a mailbox or account is read next; null: only by the sweep. The pause between two reads is a twelfth
 * of the time since the last activity: every 5 minutes in the first hour after the last mail, every half hour
 * after six, and by the sweep alone after twelve. So a reply is noticed at most one twelfth of its own delay
 * late.
 */
export function nextPoll({ since, failed }: Quiet, now: number): number | null {
  if (since === null) return null
  const pause = Math.max(MARK_MS, (now - since) / 12, failed ? REFUSED_MS : 0)
  if (pause >= SWEEP_MS) return null
  const mark = Math.floor((now + pause) / MARK_MS) * MARK_MS
  return mark > now ? mark : mark + MARK_MS
}

/** A mailbox must have been read within this time before a follow-up is sent from it. */
export const FRESH_MS = 5 * MINUTE_MS

/** Failures that pass by themselves: the server is unreachable or closed the connection. */
const PASSING = new Set(['resolve', 'connect', 'lost', 'folder'])
/** An outage of this length is reported to the user. */
const AWAY_MS = 15 * MINUTE_MS

/** Whether only the owner can fix the failure, or it has lasted so long that replies go unnoticed. */
export const isUnreadForGood = (reason: string, since: number, now: number): boolean =>
  !PASSING.has(reason) || now - since >= AWAY_MS
