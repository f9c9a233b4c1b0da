export const RECORD_STATES = ['found', 'missing', 'mismatch'] as const

/** The state of one required record in DNS. */
export type RecordFinding = {
  status: (typeof RECORD_STATES)[number]
  /** The published records, as text. */
  found: string[]
  /** What is wrong or worth knowing, in words. */
  note: string | null
}

/** Stored with a domain. A failed look-up keeps the earlier state and records the reason in `failure`. */
export type RecordCheck = RecordFinding & {
  /** Time of the last answer; null before the first. */
  checked_at: string | null
  /** Why the last look-up had no answer; null if it had. */
  failure: string | null
}

export const PURPOSES = [
  'spf',
  'dkim',
  'dkim_next',
  'dmarc',
  'mx',
  'tracking',
  'reports',
  'return_path_mx',
  'return_path_spf',
] as const
export type Purpose = (typeof PURPOSES)[number]

export type Checks = Partial<Record<Purpose, RecordCheck>>

export const finding = (
  status: RecordFinding['status'],
  found: string[] = [],
  note: string | null = null,
): RecordFinding => ({ status, found, note })

/** The new state of one record: a new answer, or the old one with the reason why there is no new one. */
export function recordedCheck(
  before: RecordCheck | undefined,
  now: { answer: RecordFinding } | { failure: string },
  at: string,
): RecordCheck {
  if ('answer' in now) return { ...now.answer, checked_at: at, failure: null }
  const known = before ?? { ...finding('missing'), checked_at: null }
  return { ...known, failure: now.failure }
}
