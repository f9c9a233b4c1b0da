import { DAY_MS } from '#lib/domain/calendar/zoned-time'

type Around = { hours: { sent: number }[]; running: { next_slot_at: Date | null }[] }

/** A day around now without a message has nothing to draw: when the next one leaves stands with its campaign. */
export const isQuietDay = ({ hours, running }: Around, now: Date) =>
  hours.every(({ sent }) => sent === 0) &&
  running.every(({ next_slot_at }) => !next_slot_at || next_slot_at.getTime() > now.getTime() + DAY_MS)
