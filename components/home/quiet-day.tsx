import { DAY_MS } from '#lib/domain/calendar/zoned-time'

type Around = { hours: { sent: number }[]; running: { next_slot_at: Date | null }[] }

/** No messages around now, so there is nothing to draw; each campaign shows its next send. */
export const isQuietDay = ({ hours, running }: Around, now: Date) =>
  hours.every(({ sent }) => sent === 0) &&
  running.every(({ next_slot_at }) => !next_slot_at || next_slot_at.getTime() > now.getTime() + DAY_MS)
