export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** A run in one of these statuses has not ended; its texts can be reviewed only afterwards. */
export const RUNS_UNDER_WAY = ['queued', 'running'] as const satisfies RunStatus[]

export const RUN_VERBS = ['take', 'complete', 'give_up', 'fail', 'cancel'] as const
export type RunVerb = (typeof RUN_VERBS)[number]

/** The transitions of a run. `give_up` is called by its worker, `fail` by whoever finds that no worker will come. */
export const RUN_MOVES = {
  take: { from: RUNS_UNDER_WAY, to: 'running' },
  complete: { from: ['running'], to: 'completed' },
  give_up: { from: ['running'], to: 'failed' },
  fail: { from: RUNS_UNDER_WAY, to: 'failed' },
  cancel: { from: RUNS_UNDER_WAY, to: 'cancelled' },
} as const satisfies Record<RunVerb, { from: readonly RunStatus[]; to: RunStatus }>

export const isRunUnderWay = (status: RunStatus): boolean => RUNS_UNDER_WAY.some((one) => one === status)
