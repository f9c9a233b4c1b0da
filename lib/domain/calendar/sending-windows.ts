import type { SendingWindow } from '#lib/domain/calendar/schedule'

/** Most windows that one day may have. */
export const MAX_WINDOWS = 6

type Hours = { sending_window_start: string; sending_window_end: string }
type Windows = Hours & { sending_windows: readonly SendingWindow[] | null }

type WindowProblem = { index: number; field: keyof SendingWindow; message: string }

/** What is wrong with the windows of one day ("HH:MM:SS"), by place. */
export function windowProblems(windows: readonly SendingWindow[]): WindowProblem[] {
  return windows.flatMap(({ start, end }, index): WindowProblem[] => {
    const before = windows[index - 1]
    if (end <= start) return [{ index, field: 'end', message: 'must be after the start' }]
    if (before && start <= before.end)
      return [{ index, field: 'start', message: 'must be after the end of the window before' }]
    return []
  })
}

/**
 * One form for each schedule: the list only where a day has several windows, start and end always the outer ones. A window that
 * is set by start or end alone takes the place of several.
 */
export function settleWindows<T extends { [field in keyof Windows]?: Windows[field] | undefined }>(
  fields: T,
): T {
  const { sending_windows, sending_window_start, sending_window_end } = fields
  const first = sending_windows?.[0]
  const last = sending_windows?.at(-1)
  if (first && last)
    return {
      ...fields,
      sending_window_start: first.start,
      sending_window_end: last.end,
      sending_windows: first === last ? null : sending_windows,
    }
  return sending_window_start === undefined && sending_window_end === undefined
    ? fields
    : { ...fields, sending_windows: null }
}

/** The windows of a day, however many. */
export function listWindows(campaign: Windows): readonly SendingWindow[] {
  const { sending_windows, sending_window_start, sending_window_end } = campaign
  return sending_windows ?? [{ start: sending_window_start, end: sending_window_end }]
}
