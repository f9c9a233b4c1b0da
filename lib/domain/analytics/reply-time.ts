/** Hours at which the buckets of replies by their time end; the last one has no end. */
const ENDS = [1, 4, 24, 48, 72, 168]

export const REPLY_BUCKETS = [0, ...ENDS].map((from, index) => ({ from, to: ENDS[index] ?? null }))
