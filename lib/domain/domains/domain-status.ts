export const DOMAIN_STATUSES = ['pending', 'verifying', 'verified', 'failed'] as const
export type DomainStatus = (typeof DOMAIN_STATUSES)[number]

export type DomainState = {
  status: DomainStatus
  verified_at: number | null
  /** Since when a verified domain has lacked a record. */
  failing_since: number | null
  /** When the domain was created, its key rotated, or a check requested by hand: records are checked often after that. */
  looked_for_since: number
  /** Consecutive checks that DNS did not answer. */
  unanswered: number
}

/** The result of one check of the required records. */
export type CheckResult = 'complete' | 'incomplete' | 'unanswered'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** An owner who has not published the records by then has given up, or does not own the domain. */
export const GIVEN_UP_MS = 14 * DAY_MS
/** A record may be missing for this long, for example while a zone is moved. */
export const GRACE_MS = 3 * DAY_MS

/**
 * The status after a check. pending, until DNS has answered once; verifying, while records are missing; verified; failed, if
 * they were missing for 14 days, or for three days on a verified domain. An unanswered check changes nothing.
 */
export function afterCheck(state: DomainState, result: CheckResult, now: number): DomainState {
  if (result === 'unanswered') return { ...state, unanswered: state.unanswered + 1 }
  const answered = { ...state, unanswered: 0 }
  if (result === 'complete') {
    const verified_at = state.status === 'verified' ? state.verified_at : now
    return { ...answered, status: 'verified', verified_at, failing_since: null }
  }
  if (state.status === 'verified') {
    const failing_since = state.failing_since ?? now
    const isOver = now - failing_since >= GRACE_MS
    return { ...answered, status: isOver ? 'failed' : 'verified', failing_since }
  }
  const isGivenUp = now - state.looked_for_since >= GIVEN_UP_MS
  return { ...answered, status: isGivenUp ? 'failed' : 'verifying', failing_since: null }
}

/**
 * When to check again: often in the first hour after a change, then less and less often; once a day if the records are complete
 * or the domain has failed. `looks_for_key`: a new DKIM key waits for its record.
 */
export function nextCheckAt(state: DomainState, looks_for_key: boolean, now: number): number {
  if (state.unanswered > 0)
    return now + Math.min(5 * MINUTE_MS * 2 ** Math.min(state.unanswered - 1, 10), 6 * HOUR_MS)
  const waits = state.status === 'pending' || state.status === 'verifying' || looks_for_key
  const age = now - state.looked_for_since
  if (waits && age < HOUR_MS) return now + 5 * MINUTE_MS
  if (waits && age < DAY_MS) return now + 30 * MINUTE_MS
  if (waits && age < GIVEN_UP_MS) return now + 6 * HOUR_MS
  if (state.status === 'verified' && state.failing_since !== null) return now + HOUR_MS
  return now + DAY_MS
}
