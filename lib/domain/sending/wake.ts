/**
 * The kinds of background work. Each has its own wake-up ("bell"), so that a hanging one does not hold up the
 * others.
 */
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
/** Work due later than this is armed by the next hourly sweep, which may run up to 15 minutes late. */
export const ARM_WITHIN_MS = 75 * MINUTE_MS
/** A bell that has not rung this long after its time counts as lost. */
export const LOST_MS = MINUTE_MS
/** Timers may fire this much early; the bell still counts as rung. */
export const EARLY_MS = 5_000

/** The state of a bell: when it will ring, and when it last did. */
export type BellState = { armed_for: number | null; rung_at: number | null }

/**
 * When the bell should ring for work that is due at `due`; null if it need not be armed: nothing is due, the
 * bell already rings in time, or the sweep is soon enough.
 *
 * Rings are at least `pause_ms` apart, so that many pieces of work due close together cost few rings. Work
 * that stays due although the bell rang (something blocks it) is retried less and less often, down to once an
 * hour, which the sweep does.
 */
export function armAt(bell: BellState, due: number | null, now: number, pause_ms: number): number | null {
  if (due === null) return null
  const overdue = Math.max(0, now - due)
  // The pause grows with the time overdue, so the first four minutes cost as many rings as the hour after
  // them.
  const pause = Math.max(pause_ms, overdue > LOST_MS ? Math.min(overdue / 4, 60 * MINUTE_MS) : 0)
  // The clocks of two machines may differ: never wait longer than one pause from now.
  const rested = bell.rung_at === null ? now : Math.min(bell.rung_at + pause, now + pause)
  const at = Math.max(due, now, rested)
  if (at > now + ARM_WITHIN_MS) return null
  const { armed_for } = bell
  const isComing = armed_for !== null && armed_for >= now - LOST_MS
  return isComing && armed_for <= at ? null : at
}
