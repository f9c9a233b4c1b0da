/** The statuses of a workspace import; at first it waits for its file. */
export const IMPORT_STATUSES = ['waiting', 'queued', 'running', 'completed', 'failed'] as const

export const IMPORTS_UNDER_WAY = ['queued', 'running'] as const

export const IMPORT_VERBS = ['start', 'begin', 'complete', 'fail'] as const
type ImportVerb = (typeof IMPORT_VERBS)[number]

/** A worker restarts what another one left unfinished, so `begin` leads to its own status. */
export const IMPORT_MOVES = {
  start: 'queued',
  begin: 'running',
  complete: 'completed',
  fail: 'failed',
} as const satisfies Record<ImportVerb, string>
