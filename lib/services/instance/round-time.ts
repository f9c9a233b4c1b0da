import { env } from '#lib/env'

/** The share of a host's limit per call in which a round begins new work; the rest is for work under way to finish. */
const SHARE = 0.1
const LONGEST_MS = 30_000

/** How long one round of background work begins new work: well below MAX_DURATION_SECONDS. */
export const roundMs = (): number => Math.min(LONGEST_MS, env().MAX_DURATION_SECONDS * 1_000 * SHARE)

export const roundEnd = (now: Date): Date => new Date(now.getTime() + roundMs())
