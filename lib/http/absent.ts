import { z } from 'zod'

type Fields = Record<string, z.core.$ZodType>

/** The innermost schema of a value, without wrappers for optional, default or transformed values. */
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
 * A body without the nulls of optional fields: clients that send unknown values as null mean "absent". Where null has a meaning of
 * its own, such as clearing a description, the schema accepts it and it stays.
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

/** Unknown keys are kept, `__proto__` included, so that the schema can refuse them. */
function withoutNullFields(fields: Fields, value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).map(([key, each]) => [
    key,
    Object.hasOwn(fields, key) ? withoutNulls(fields[key], each) : each,
  ])
  return Object.fromEntries(kept.filter(([, each]) => each !== undefined))
}

/** The alternative of a union that is meant: the first that accepts the value once its nulls are removed. */
const findBranch = (options: readonly z.core.$ZodType[], value: unknown) =>
  options.find((option) => takes(option, withoutNulls(option, value)))

/** The same for a query or a form, where null is text: `?after=null`. */
export function withoutNullWords(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  const fields = objectFields(schema)
  if (!fields || !isRecord(value)) return value
  const isAbsent = ([key, each]: [string, unknown]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined
    return (each === 'null' || each === null) && field !== undefined && takes(field, undefined)
  }
  return Object.fromEntries(Object.entries(value).filter((entry) => !isAbsent(entry)))
}
