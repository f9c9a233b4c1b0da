import fc from 'fast-check'
import { at, type Json } from '#tests/support/files/document'
import { hostileText, hostileValue } from '#tests/support/fuzz/hostile'

type Schema = Json & { type?: string | string[]; properties?: Record<string, Schema>; required?: string[] }
/** Ids of existing rows, by the name of the field that holds them. */
export type Pool = Record<string, string>

const INSTANTS = ['2026-03-02T10:00:00Z', '2031-01-01T00:00:00+14:00', '1970-01-01T00:00:00.000Z']

/** Tame: what the schema permits. Wild: beyond its limits too, and occasionally anything at all. */
export type Mood = { pool: Pool; wild: boolean }

export function fuzzOf(schema: Schema, mood: Mood, name = ''): fc.Arbitrary<unknown> {
  if (!mood.wild) return proper(schema, mood, name)
  return fc.oneof(
    { weight: 8, arbitrary: proper(schema, mood, name) },
    { weight: 1, arbitrary: hostileValue },
  )
}

function proper(schema: Schema, mood: Mood, name: string): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return proper(at(schema.$ref) as Schema, mood, name)
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => proper(choice, mood, name)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const [type] = [schema.type].flat()
  if (type === 'object') return objectOf(schema, mood)
  if (type === 'array') return arrayOf(schema, mood, name)
  if (type === 'string') return textOf(schema, mood, name)
  if (type === 'integer' || type === 'number') return numberOf(schema, mood)
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
}

function objectOf(schema: Schema, mood: Mood): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [
    name,
    fuzzOf(inner, mood, name),
  ])
  if (fields.length === 0)
    return fc.dictionary(fc.string(), mood.wild ? hostileValue : fc.string(), { maxKeys: 3 })
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys: (schema.required ?? []) as never[] })
  if (!mood.wild) return whole
  const lacking = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  return fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: lacking })
}

function arrayOf(schema: Schema, mood: Mood, name: string): fc.Arbitrary<unknown> {
  const most = Math.min(Number(schema.maxItems ?? 3), 3)
  const least = Math.min(Number(schema.minItems ?? 0), most)
  return fc.array(fuzzOf((schema.items ?? {}) as Schema, mood, name), { minLength: least, maxLength: most })
}

function numberOf({ type, minimum, maximum }: Schema, { wild }: Mood): fc.Arbitrary<unknown> {
  const [min, max] = [Number(minimum ?? -1_000), Number(maximum ?? 1_000_000)]
  const inside =
    type === 'integer' ? fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) }) : fc.double({ min, max })
  return fc.oneof(
    { weight: 3, arbitrary: inside },
    { weight: 2, arbitrary: fc.constantFrom(min, max, ...(wild ? [min - 1, max + 1] : [])) },
  )
}

function textOf(schema: Schema, mood: Mood, name: string): fc.Arbitrary<unknown> {
  const { pool, wild } = mood
  const known = pool[name] ?? (name === 'alias_ids' ? pool.mailbox_id : undefined)
  if (known) return wild ? fc.oneof(fc.constant(known), fc.uuid({ version: 4 })) : fc.constant(known)
  if (name === 'timezone' && !wild) return fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata')
  if (schema.format === 'uuid') return fc.uuid({ version: 4 })
  if (schema.format === 'date-time') return fc.constantFrom(...INSTANTS)
  if (schema.format === 'email')
    return fc.constantFrom('ann@example.com', 'bob@example.com', 'o’b@example.com')
  if (typeof schema.pattern === 'string')
    return fc.constantFrom('09:00', '23:59:59', ...(wild ? ['24:00', '9:00'] : []))
  const [least, most] = [Number(schema.minLength ?? 0), Number(schema.maxLength ?? 200)]
  const plain = fc.oneof(
    fc.string({ minLength: least, maxLength: Math.min(most, least + 40) }),
    fc.constantFrom('x'.repeat(least), 'x'.repeat(most), 'UTC', 'example.com', '{{ first_name }}'),
  )
  if (!wild) return plain
  return fc.oneof({ weight: 4, arbitrary: plain }, fc.constant('x'.repeat(most + 1)), hostileText)
}
