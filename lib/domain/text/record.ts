/** Something with named parts, as JSON and strangers hand it over; a list is none. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same, or one without parts. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** The names of the parts of a constant of ours, which has none that its type does not name. */
export function typedKeys<T extends object>(constant: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in constant) keys.push(key)
  return keys
}

/** Whether such a constant has a part of this name. */
export const hasKey = <T extends object>(constant: T, key: PropertyKey): key is keyof T =>
  Object.hasOwn(constant, key)
