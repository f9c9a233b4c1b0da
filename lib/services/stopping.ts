/** The web framework may load this module more than once; a process stops once. */
const kept = globalThis as typeof globalThis & { opener_stopping?: true }

/** How long a web process lets what is under way come to its end; whoever supervises it should wait a little longer. */
export const STOP_GRACE_MS = 25_000

/** Whether this process was asked to stop: background work begins nothing new then, and ends what it has begun. */
export const isStopping = (): boolean => kept.opener_stopping === true

export function beginStopping(): void {
  kept.opener_stopping = true
}
