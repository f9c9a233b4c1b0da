import { z } from 'zod'

type Json = z.core.JSONSchema.BaseSchema

/** Removes what zod adds but says nothing: the range of safe integers, and patterns besides a format. */
export function tidy(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format) delete schema.pattern
}

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  })

/** The input of a schema, as JSON Schema (2020-12). */
export const inputJsonSchema = (schema: z.ZodType): Json => toJsonSchema(schema, 'input')

/** The output of a schema, as JSON Schema (2020-12). */
export const outputJsonSchema = (schema: z.ZodType): Json => toJsonSchema(schema, 'output')
