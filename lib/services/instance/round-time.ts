import { env } from '#lib/env'

/** Of the time that a host gives one call: what was begun when a round's time is up has the rest to come to its end. */
const SHARE = 0.1
const LONGEST_MS = 30_000

/** How long one round of background work begins new work: well below MAX_DURATION_SECONDS. */
export const roundMs = (): number => Math.min(LONGEST_MS, env().MAX_DURATION_SECONDS * 1_000 * SHARE)

export const roundEnd = (now: Date): Date => new Date(now.getTime() + roundMs())
