/**
 * Two local times, HH:MM. If `to` is before `from` the span crosses midnight; if both are equal it is the
 * whole day.
 */
export type Span = { from: string; to: string }

export const STEP_MINUTES = 30
const DAY_MINUTES = 1440

const toMinutes = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** 570 becomes "09:30"; the end of a day is written as 00:00, like the end of a window. */
function formatTime(minutes: number): string {
  const within = minutes % DAY_MINUTES
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

/** How a day's row shows a window, in percent of the day; two parts if it crosses midnight. */
export function splitAtWeekEnd({ from, to }: Span): { left: number; width: number }[] {
  const start = toMinutes(from)
  const end = toMinutes(to)
  if (Number.isNaN(start) || Number.isNaN(end)) return []
  const part = (left: number, right: number) => ({
    left: (100 * left) / DAY_MINUTES,
    width: (100 * (right - left)) / DAY_MINUTES,
  })
  if (end > start) return [part(start, end)]
  if (end === start) return [part(0, DAY_MINUTES)]
  return [part(0, end), part(start, DAY_MINUTES)].filter(({ width }) => width > 0)
}

/**
 * The window between two positions in a day's row (minutes, in any order), rounded to steps; null if it is
 * empty.
 */
export function spanFrom(one: number, other: number): Span | null {
  const low = Math.max(0, Math.floor(Math.min(one, other) / STEP_MINUTES) * STEP_MINUTES)
  const high = Math.min(DAY_MINUTES, Math.ceil(Math.max(one, other) / STEP_MINUTES) * STEP_MINUTES)
  return high - low < STEP_MINUTES || Math.abs(one - other) < STEP_MINUTES / 4
    ? null
    : { from: formatTime(low), to: formatTime(high) }
}

/**
 * Adds a window one hour after the last one; if the day has no room left, the last one is split by an hour in
 * its middle.
 */
export function addSpan(spans: readonly Span[]): Span[] {
  const last = spans.at(-1) ?? { from: '09:00', to: '17:00' }
  const [start, end] = [toMinutes(last.from), toMinutes(last.to)]
  if (end > start && end + 120 < DAY_MINUTES)
    return [...spans, { from: formatTime(end + 60), to: formatTime(end + 120) }]
  const [from, to] = end > start + 180 ? [start, end] : [9 * 60, 17 * 60]
  const middle = Math.floor((from + to) / 2 / STEP_MINUTES) * STEP_MINUTES
  return [
    ...spans.slice(0, -1),
    { from: formatTime(from), to: formatTime(middle - 30) },
    { from: formatTime(middle + 30), to: formatTime(to) },
  ]
}
