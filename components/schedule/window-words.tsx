import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { listWindows } from '#lib/domain/calendar/sending-windows'
import { capital } from '#lib/domain/text/capital'

type Day = Campaign['send_days'][number]
type Window = Pick<
  Campaign,
  'sending_window_start' | 'sending_window_end' | 'sending_windows' | 'send_days' | 'timezone'
> &
  Partial<Pick<Campaign, 'schedule_timezone'>>

const WEEK: Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** "Mon–Fri", "Mon, Wed", "every day": consecutive days become a range. */
export function daysWords(days: Day[]): string {
  if (days.length === WEEK.length) return 'every day'
  const spans: Day[][] = []
  for (const day of WEEK.filter((one) => days.includes(one))) {
    const span = spans.at(-1)
    const before = span?.at(-1)
    if (span && before && WEEK.indexOf(day) === WEEK.indexOf(before) + 1) span.push(day)
    else spans.push([day])
  }
  return spans
    .map((span) => [span[0], span.at(-1)].filter((day) => day !== undefined).map(capital))
    .map(([first, last]) => (first === last ? first : `${first}–${last}`))
    .join(', ')
}

const joinWords = (words: string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '')

/** "Mon–Fri, 09:00–11:30 and 14:00–17:00 Europe/Berlin", or "… by the clock of each lead" */
export function windowWords(window: Window): string {
  const hours = listWindows(window).map(({ start, end }) =>
    start === end ? 'all day' : `${start.slice(0, 5)}–${end.slice(0, 5)}`,
  )
  const clock = window.schedule_timezone === 'lead' ? 'in each lead’s time zone' : window.timezone
  return `${capital(daysWords(window.send_days))}, ${joinWords(hours)} ${clock}`
}
