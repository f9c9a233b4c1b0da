import { z } from 'zod'

type Fields = Record<string, z.core.$ZodType>

/** The schema that a value is held to, without what only says that it may be absent or is made into something else. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return bare(schema.def.innerType)
  return schema
}

const takes = (schema: z.core.$ZodType, value: unknown) => z.core.safeParse(schema, value).success

const objectFields = (schema: z.core.$ZodType | undefined): Fields | null => {
  const inner = schema && bare(schema)
  return inner instanceof z.ZodObject ? inner.shape : null
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A body without the nulls of fields that may be absent: clients that send what they do not know as null mean just that.
 * Where null says something of its own, such as the end of a description, the schema takes it and it stays.
 */
export function withoutNulls(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (!schema) return value
  if (value === null) return !takes(schema, null) && takes(schema, undefined) ? undefined : null
  const inner = bare(schema)
  if (Array.isArray(value))
    return inner instanceof z.ZodArray ? value.map((item) => withoutNulls(inner.element, item)) : value
  if (!isRecord(value)) return value
  if (inner instanceof z.ZodUnion) return withoutNulls(findBranch(inner.options, value), value)
  return inner instanceof z.ZodObject ? withoutNullFields(inner.shape, value) : value
}

/** Keys that no field has stay, whatever they are called: `__proto__` is one of them. */
function withoutNullFields(fields: Fields, value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).map(([key, each]) => [
    key,
    Object.hasOwn(fields, key) ? withoutNulls(fields[key], each) : each,
  ])
  return Object.fromEntries(kept.filter(([, each]) => each !== undefined))
}

/** The alternative that is meant: the first that takes the value once its nulls are gone. */
const findBranch = (options: readonly z.core.$ZodType[], value: unknown) =>
  options.find((option) => takes(option, withoutNulls(option, value)))

/** The same of a query or a form, where null is a word: `?after=null`. */
export function withoutNullWords(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  const fields = objectFields(schema)
  if (!fields || !isRecord(value)) return value
  const isAbsent = ([key, each]: [string, unknown]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    return (each === 'null' || each === null) && field !== undefined && takes(field, undefined)
  }
  return Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)))
}
