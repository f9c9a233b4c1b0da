import { DAY_MS, loadZone, parseDay, startOfDay } from '#lib/domain/calendar/zoned-time'

/** The choices that the form offers besides a date. */
export const KEY_LIFETIMES = ['never', '30', '90', '365'] as const

/** A key that expires within this many days is marked. */
const SOON_DAYS = 14

/**
 * When a key expires: after that many days, or at the end of a day (YYYY-MM-DD) in the owner's zone. Null: never. Undefined: the
 * choice is invalid or in the past.
 */
export function keyExpiry(choice: string, now: Date, timezone: string): Date | null | undefined {
  if (choice === 'never') return null
  const days = KEY_LIFETIMES.find((lifetime) => lifetime === choice)
  if (days) return new Date(now.getTime() + Number(days) * DAY_MS)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(choice) || Number.isNaN(Date.parse(`${choice}T00:00:00Z`))) return undefined
  const end = new Date(startOfDay(loadZone(timezone), parseDay(choice) + 1))
  return end > now ? end : undefined
}

/** "expires in 5 days", if that is soon. */
export function expiryWarning(expiresAt: Date, now: Date): string | null {
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
  if (days >= SOON_DAYS) return null
  return days < 1 ? 'expires within a day' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`
}
