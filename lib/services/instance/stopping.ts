import { processState } from '#lib/process-state'

const kept = processState('stopping', () => ({ is_asked: false }))

/** How long a web process lets what is under way come to its end; whoever supervises it should wait a little longer. */
export const STOP_GRACE_MS = 25_000

/** Whether this process was asked to stop: background work begins nothing new then, and ends what it has begun. */
export const isStopping = (): boolean => kept.is_asked

export function beginStopping(): void {
  kept.is_asked = true
}
