import { loadZone, toInstant } from '#lib/domain/calendar/zoned-time'

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const END = Date.parse('+010000-01-01T00:00:00Z')

/**
 * Whether its UTC year has four digits: an offset or zone can push a valid local time beyond that, and no text format or store
 * accepts it then.
 */
export const isWritable = (at: Date): boolean => at.getTime() >= FIRST && at.getTime() < END

/**
 * The instant that YYYY-MM-DDTHH:MM, optionally with seconds, means in this zone; the first one if it occurs twice. Null if it
 * is invalid.
 */
export function readLocalTime(text: string, timezone: string): Date | null {
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  // 30 February would be parsed as a day of March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(text)) return null
  const at = new Date(toInstant(loadZone(timezone), local, 'first'))
  return isWritable(at) ? at : null
}
