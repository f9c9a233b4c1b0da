const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isText = (value: unknown): value is string => typeof value === 'string'
const TYPES = {
  any: () => true,
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => Number.isInteger(value),
  number: (value: unknown) => typeof value === 'number',
  string: isText,
  uuid: (value: unknown) => isText(value) && UUID.test(value),
  'date-time': (value: unknown) => isText(value) && INSTANT.test(value),
  time: (value: unknown) => isText(value) && /^\d\d:\d\d:\d\d$/.test(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const

type Type = keyof typeof TYPES
/** A type, a nullable type (`string?`), one of several texts (`draft|active`), a list, a nullable list, or an object of fields. */
export type Shape =
  | Type
  | `${Type}?`
  | `${string}|${string}`
  | readonly [Shape]
  | readonly [Shape, null]
  | { [field: string]: Shape }

const isList = (shape: Shape): shape is readonly [Shape] | readonly [Shape, null] => Array.isArray(shape)

function isOfType(value: unknown, type: string): boolean {
  if (type.endsWith('?')) return value === null || isOfType(value, type.slice(0, -1))
  if (type.includes('|')) return isText(value) && type.split('|').includes(value)
  return TYPES[type as Type](value)
}

/** Every place at which `value` does not have the shape; extra fields are allowed, missing fields are not. */
export function faultsOf(value: unknown, shape: Shape, place = 'body'): string[] {
  if (typeof shape === 'string')
    return isOfType(value, shape) ? [] : [`${place} is no ${shape}: ${JSON.stringify(value)}`]
  if (isList(shape)) {
    if (value === null && shape.length === 2) return []
    if (!Array.isArray(value)) return [`${place} is no list`]
    return value.flatMap((item, index) => faultsOf(item, shape[0], `${place}[${index}]`))
  }
  if (!TYPES.object(value)) return [`${place} is no object`]
  return Object.entries(shape).flatMap(([field, inner]) =>
    field in (value as object)
      ? faultsOf((value as Record<string, unknown>)[field], inner, `${place}.${field}`)
      : [`${place}.${field} is left out`],
  )
}
