/** The newest message of a conversation, as reported to a user who wants to reply. */
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

function counted(minutes: number): string | null {
  const unit = UNITS.find((one) => minutes >= one.minutes)
  if (!unit) return null
  const count = Math.floor(minutes / unit.minutes)
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}

function passed(since: Date, now: Date): string {
  const long = counted(Math.floor((now.getTime() - since.getTime()) / MINUTE_MS))
  return long ? `${long} ago` : 'just now'
}

/** Who replied first, and when. */
export function collisionMessage(newest: Newest, now: Date): string {
  const { direction, from_address, from_name, author_name, at } = newest
  const who =
    direction === 'in'
      ? `${from_name || from_address || 'Somebody'} wrote`
      : `${author_name ?? 'Somebody'} answered`
  return `${who} ${passed(at, now)}. Nothing was sent.`
}

/** Whose reply is scheduled, and for when. */
export function scheduledMessage(
  { author_name, send_at }: { author_name: string | null; send_at: Date },
  now: Date,
): string {
  const left = counted(Math.floor((send_at.getTime() - now.getTime()) / MINUTE_MS))
  return `${author_name ?? 'Somebody'} has a reply here scheduled to send in ${left ?? 'less than a minute'}. Nothing was sent.`
}
