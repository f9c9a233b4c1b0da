/** Something with named parts, as JSON and strangers hand it over; a list is none. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same, or one without parts. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
