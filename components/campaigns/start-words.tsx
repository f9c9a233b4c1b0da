/** "Europe/Berlin" as "Berlin". */
const placeWords = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

const localDay = (at: number, zone: string) =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone }).format(at)) / 86_400_000

const MINUTE_MS = 60_000

/** When the first message is sent: "tomorrow at 09:00 in Berlin". Null: at once. */
export function startWords(firstAt: string | null, now: number, zone: string): string | null {
  if (firstAt === null) return null
  const at = Date.parse(firstAt)
  if (at - now < MINUTE_MS) return null
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(at)
  const days = localDay(at, zone) - localDay(now, zone)
  const day =
    days === 0
      ? 'today'
      : days === 1
        ? 'tomorrow'
        : `on ${format({ weekday: 'long', day: 'numeric', month: 'long' })}`
  return `${day} at ${format({ hour: '2-digit', minute: '2-digit', hour12: false })} in ${placeWords(zone)}`
}
