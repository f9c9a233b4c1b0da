import { DAY_MS, loadZone, toDay, toInstant, toWeekday } from '#lib/domain/calendar/zoned-time'

const HOUR_MS = 3_600_000
const MORNING_MS = 9 * HOUR_MS

type SnoozeChoice = { label: string; until: string }

/** The times offered for snoozing: nine in the morning in the owner's zone, as ISO 8601. */
export function snoozeChoices(timezone: string, now: Date): SnoozeChoice[] {
  const zone = loadZone(timezone)
  const today = toDay(zone, now.getTime())
  const morning = (days: number) => toInstant(zone, (today + days) * DAY_MS + MORNING_MS, 'first')
  const toMonday = 7 - toWeekday(today)
  const choices: [string, number][] = [
    ['In three hours', now.getTime() + 3 * HOUR_MS],
    ['Tomorrow morning', morning(1)],
    // On a Sunday, Monday is the same as tomorrow.
    ...(toMonday > 1 ? ([['Monday morning', morning(toMonday)]] satisfies [string, number][]) : []),
    ['In a week', morning(7)],
    ['In a month', morning(30)],
  ]
  return choices.map(([label, at]) => ({ label, until: new Date(at).toISOString() }))
}
