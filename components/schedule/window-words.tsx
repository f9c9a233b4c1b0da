import type { Campaign } from '#lib/contracts/campaigns/campaigns'

type Day = Campaign['send_days'][number]
type Window = Pick<Campaign, 'sending_window_start' | 'sending_window_end' | 'send_days' | 'timezone'>

const WEEK: Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** "Mon–Fri", "Mon, Wed", "every day": days in a row are a span. */
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

/** "Mon–Fri, 09:00–17:00 Europe/Berlin" */
export function windowWords(window: Window): string {
  const [from, to] = [window.sending_window_start.slice(0, 5), window.sending_window_end.slice(0, 5)]
  const days = daysWords(window.send_days)
  return `${capital(days)}, ${from === to ? 'all day' : `${from}–${to}`} ${window.timezone}`
}
