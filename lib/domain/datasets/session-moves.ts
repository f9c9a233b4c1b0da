/** A session in one of these statuses has not ended. */
export const SESSIONS_UNDER_WAY = ['queued', 'processing'] as const

export const SESSION_VERBS = ['begin', 'advance', 'complete', 'fail', 'cancel'] as const
export type SessionVerb = (typeof SESSION_VERBS)[number]

/** The transitions of a dataset's sessions: imports, enrichment, extraction and the email finder alike. */
export const SESSION_MOVES = {
  begin: 'processing',
  advance: 'processing',
  complete: 'completed',
  fail: 'failed',
  cancel: 'cancelled',
} as const satisfies Record<SessionVerb, string>

export const isUnderWay = (status: string): boolean =>
  SESSIONS_UNDER_WAY.some((underWay) => underWay === status)
