/** Two local times of day, HH:MM; `to` before `from` runs past midnight, and both equal are the whole day. */
export type Span = { from: string; to: string }

export const STEP_MINUTES = 30
const DAY_MINUTES = 1440

const toMinutes = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** 570 -> "09:30"; the end of a day is written as its beginning, as a window's end is. */
function formatTime(minutes: number): string {
  const within = minutes % DAY_MINUTES
  return `${String(Math.floor(within / 60)).padStart(2, '0')}:${String(within % 60).padStart(2, '0')}`
}

/** What a day's row shows of a window, in percent of the day: two parts where it crosses midnight. */
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

/** The window between two places of a day's row (minutes, any order), on the steps around them; null for none at all. */
export function spanFrom(one: number, other: number): Span | null {
  const low = Math.max(0, Math.floor(Math.min(one, other) / STEP_MINUTES) * STEP_MINUTES)
  const high = Math.min(DAY_MINUTES, Math.ceil(Math.max(one, other) / STEP_MINUTES) * STEP_MINUTES)
  return high - low < STEP_MINUTES || Math.abs(one - other) < STEP_MINUTES / 4
    ? null
    : { from: formatTime(low), to: formatTime(high) }
}

/** Another window, an hour after the last one; where the day has no room for it, the last one makes way by an hour in its middle. */
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
