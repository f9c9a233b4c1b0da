import { processState } from '#lib/process-state'

const kept = processState('stopping', () => ({ is_asked: false }))

/** How long a web process waits for work under way to finish; a supervisor should wait a little longer. */
export const STOP_GRACE_MS = 25_000

/** Whether this process was asked to stop: background work then finishes what it has begun and begins nothing new. */
export const isStopping = (): boolean => kept.is_asked

export function beginStopping(): void {
  kept.is_asked = true
}
