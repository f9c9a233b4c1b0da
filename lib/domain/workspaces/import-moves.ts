/** Where an import of a workspace stands: it waits for its file first. */
export const IMPORT_STATUSES = ['waiting', 'queued', 'running', 'completed', 'failed'] as const

export const IMPORTS_UNDER_WAY = ['queued', 'running'] as const

export const IMPORT_VERBS = ['start', 'begin', 'complete', 'fail'] as const
type ImportVerb = (typeof IMPORT_VERBS)[number]

/** A worker begins anew what another one left, so `begin` leads to itself. */
export const IMPORT_MOVES = {
  start: 'queued',
  begin: 'running',
  complete: 'completed',
  fail: 'failed',
} as const satisfies Record<ImportVerb, string>
