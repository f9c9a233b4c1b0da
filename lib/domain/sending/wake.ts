/** The kinds of background work, each with a bell of its own: one that hangs does not hold up the others. */
export const BELLS = [
  'dispatch',
  'inbox',
  'accounts',
  'webhooks',
  'notifications',
  'posts',
  'intents',
  'answers',
  'chores',
] as const
export type Bell = (typeof BELLS)[number]

const MINUTE_MS = 60_000
/** What is due later than this is armed by the sweep of the next hour, which may come a quarter late. */
export const ARM_WITHIN_MS = 75 * MINUTE_MS
/** A bell that did not ring so long after its time is lost. */
export const LOST_MS = MINUTE_MS
/** Servers ring early by as much; then the bell has rung all the same. */
export const EARLY_MS = 5_000

/** A bell as it hangs there: when it will ring, and when it last did. */
export type BellState = { armed_for: number | null; rung_at: number | null }

/**
 * When the bell is to ring for work that is due at `due`; null where it need not be armed: nothing is due, it rings in time
 * already, or the sweep is soon enough.
 *
 * Between two rings lies a pause, so that much work that is due close together costs few of them. What stays due though the
 * bell rang (something stands in its way) is tried more and more rarely, up to once an hour, which is the sweep's.
 */
export function armAt(bell: BellState, due: number | null, now: number, pause_ms: number): number | null {
  if (due === null) return null
  const overdue = Math.max(0, now - due)
  // Four minutes' patience cost as many rings as the first hour after them.
  const pause = Math.max(pause_ms, overdue > LOST_MS ? Math.min(overdue / 4, 60 * MINUTE_MS) : 0)
  // Of two machines one may be ahead: no pause is longer than from now.
  const rested = bell.rung_at === null ? now : Math.min(bell.rung_at + pause, now + pause)
  const at = Math.max(due, now, rested)
  if (at > now + ARM_WITHIN_MS) return null
  const { armed_for } = bell
  const isComing = armed_for !== null && armed_for >= now - LOST_MS
  return isComing && armed_for <= at ? null : at
}
