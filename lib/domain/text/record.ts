/** Whether a value, such as parsed JSON, is an object with named fields; arrays are not. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value if it is one, otherwise an empty record. */
export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

/** The keys of one of our constants, which has no keys besides those of its type. */
export function typedKeys<T extends object>(constant: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in constant) keys.push(key)
  return keys
}

/** Whether such a constant has this key. */
export const hasKey = <T extends object>(constant: T, key: PropertyKey): key is keyof T =>
  Object.hasOwn(constant, key)
