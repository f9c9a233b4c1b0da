const DAY_MS = 86_400_000
/** Beyond this an axis has more days than it can show, and a list with years in it is a mistake of its dates. */
const MOST_DAYS = 800

/** The days, and `blank` ones for those that are missing between them, so that an axis shows time as it passes. */
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
