export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** A run is under way until it is over for good; only then its texts are anybody's to review. */
export const RUNS_UNDER_WAY = ['queued', 'running'] as const satisfies RunStatus[]

export const RUN_VERBS = ['take', 'complete', 'give_up', 'fail', 'cancel'] as const
export type RunVerb = (typeof RUN_VERBS)[number]

/** How runs move. `give_up` is its worker's, `fail` of whoever finds that no worker will come. */
export const RUN_MOVES = {
  take: { from: RUNS_UNDER_WAY, to: 'running' },
  complete: { from: ['running'], to: 'completed' },
  give_up: { from: ['running'], to: 'failed' },
  fail: { from: RUNS_UNDER_WAY, to: 'failed' },
  cancel: { from: RUNS_UNDER_WAY, to: 'cancelled' },
} as const satisfies Record<RunVerb, { from: readonly RunStatus[]; to: RunStatus }>

export const isRunUnderWay = (status: RunStatus): boolean => RUNS_UNDER_WAY.some((one) => one === status)
