const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The delays after each attempt; together a little over three days. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
/** Up to a tenth shorter or longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1
/** A webhook that has only failed for this long is disabled. */
const GIVE_UP_MS = 5 * 24 * HOUR

/**
 * The delay after a failed attempt, in milliseconds; null if it was the last. `tries` counts from 1; `chance` is uniform in [0,
 * 1). A `Retry-After` in seconds makes it later, by at most a day.
 */
export function retryDelay(tries: number, chance: number, retryAfter: string | null = null): number | null {
  const delay = DELAYS[tries - 1]
  if (delay === undefined) return null
  const asked = retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * SECOND : 0
  return Math.max(Math.round(delay * (1 - JITTER + 2 * JITTER * chance)), Math.min(asked, 24 * HOUR))
}

/** How long a webhook is paused after this many consecutive failures, in milliseconds, so that it does not hold up others. */
export function restAfter(failures: number): number {
  return failures < 3 ? 0 : Math.min(5 * SECOND * 2 ** (failures - 3), 5 * MINUTE)
}

/** Whether a webhook that has only failed since then is to be disabled. */
export const isGivenUp = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() > GIVE_UP_MS
