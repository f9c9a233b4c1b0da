/** The newest message of a conversation, as whoever wants to answer is told of it. */
export type Newest = {
  direction: string
  from_address: string
  from_name: string | null
  author_name: string | null
  at: Date
}

const MINUTE_MS = 60_000
const UNITS = [
  { name: 'day', minutes: 24 * 60 },
  { name: 'hour', minutes: 60 },
  { name: 'minute', minutes: 1 },
]

function passed(since: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / MINUTE_MS)
  const unit = UNITS.find((one) => minutes >= one.minutes)
  if (!unit) return 'just now'
  const count = Math.floor(minutes / unit.minutes)
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`
}

/** Who was first, and when. */
export function collisionMessage(newest: Newest, now: Date): string {
  const { direction, from_address, from_name, author_name, at } = newest
  const who =
    direction === 'in'
      ? `${from_name || from_address || 'Somebody'} wrote`
      : `${author_name ?? 'Somebody'} answered`
  return `${who} ${passed(at, now)}. Nothing was sent.`
}
