export const RECORD_STATES = ['found', 'missing', 'mismatch'] as const

/** What DNS says of one record that should be there. */
export type RecordFinding = {
  status: (typeof RECORD_STATES)[number]
  /** What stands there, as text. */
  found: string[]
  /** What is wrong, or worth knowing, for people. */
  note: string | null
}

/** Kept with a domain. A failure of DNS leaves what was known before as it was, and says so in `failure`. */
export type RecordCheck = RecordFinding & {
  /** Of the last answer; null before the first. */
  checked_at: string | null
  /** Why the last question had no answer; null where it had. */
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

/** What is known now of one record: a new answer, or the old one and why there is no new. */
export function recordedCheck(
  before: RecordCheck | undefined,
  now: { answer: RecordFinding } | { failure: string },
  at: string,
): RecordCheck {
  if ('answer' in now) return { ...now.answer, checked_at: at, failure: null }
  const known = before ?? { ...finding('missing'), checked_at: null }
  return { ...known, failure: now.failure }
}
