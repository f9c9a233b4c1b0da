import type { SendingWindow } from '#lib/domain/calendar/schedule'

/** Most windows of one day. */
export const MAX_WINDOWS = 6

type Hours = { sending_window_start: string; sending_window_end: string }
type Windows = Hours & { sending_windows: readonly SendingWindow[] | null }

type WindowProblem = { index: number; field: keyof SendingWindow; message: string }

/** The errors in the windows of one day ("HH:MM:SS"), by index. */
export function windowProblems(windows: readonly SendingWindow[]): WindowProblem[] {
  return windows.flatMap(({ start, end }, index): WindowProblem[] => {
    const before = windows[index - 1]
    if (end <= start) return [{ index, field: 'end', message: 'must be after the start' }]
    if (before && start <= before.end)
      return [{ index, field: 'start', message: 'must be after the end of the window before' }]
    return []
  })
}

type Place = { holiday_country: string | null; holiday_region: string | null }
type Given<T> = { [field in keyof T]?: T[field] | undefined }

/**
 * Normalizes a schedule: the list is set only if a day has several windows, and start and end are always the outer times.
 * Setting only start or end replaces several windows by one, and a new country clears the region of the old one.
 */
export function settleSchedule<T extends Given<Windows & Place>>(fields: T): T {
  const { sending_windows, sending_window_start, sending_window_end, ...other } = fields
  const place =
    other.holiday_country !== undefined && other.holiday_region === undefined ? { holiday_region: null } : {}
  const first = sending_windows?.[0]
  const last = sending_windows?.at(-1)
  if (first && last)
    return {
      ...fields,
      ...place,
      sending_window_start: first.start,
      sending_window_end: last.end,
      sending_windows: first === last ? null : sending_windows,
    }
  return sending_window_start === undefined && sending_window_end === undefined
    ? { ...fields, ...place }
    : { ...fields, ...place, sending_windows: null }
}

/** The windows of a day, whether one or several. */
export function listWindows(campaign: Windows): readonly SendingWindow[] {
  const { sending_windows, sending_window_start, sending_window_end } = campaign
  return sending_windows ?? [{ start: sending_window_start, end: sending_window_end }]
}
