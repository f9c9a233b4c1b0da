/** The upper limits, in hours, of the buckets of reply times; a last bucket has no limit. */
const ENDS = [1, 4, 24, 48, 72, 168]

export const REPLY_BUCKETS = [0, ...ENDS].map((from, index) => ({ from, to: ENDS[index] ?? null }))
