const DAY_MS = 86_400_000
/** More days do not fit an axis, and a range of years is probably an error in the dates. */
const MOST_DAYS = 800

/** Fills gaps between days with `blank` ones, so that the axis is linear in time. */
export function everyDay<Day extends { date: string }>(
  days: readonly Day[],
  blank: (date: string) => Day,
): Day[] {
  const known = new Map(days.map((day) => [day.date, day]))
  const first = Date.parse(days[0]?.date ?? '')
  const count = (Date.parse(days.at(-1)?.date ?? '') - first) / DAY_MS + 1
  if (!(count <= MOST_DAYS)) return [...days]
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(first + index * DAY_MS).toISOString().slice(0, 10)
    return known.get(date) ?? blank(date)
  })
}
