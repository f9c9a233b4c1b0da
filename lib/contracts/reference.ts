import type { z } from 'zod'
import type { Contract } from '#lib/contracts/contract'
import { inputJsonSchema, outputJsonSchema } from '#lib/contracts/json-schema'
import { asRecord } from '#lib/domain/text/record'

type Schema = {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
}

/** One row of a field table; the fields of a nested object follow it, one level deeper. */
export type FieldRow = {
  /** From the outermost object, such as `steps_config[].variants[].weight`. */
  path: string
  name: string
  depth: number
  type: string
  is_required: boolean
  /** `1 to 255 characters`, `one of a, b`, `default 20`. */
  limits: string[]
  description: string
}

/** A valid request, in the form in which the reference shows it and lets it be filled in. */
export type ExampleRequest = {
  method: Contract['method']
  /** From /api/v1 on, with the parameters still in braces. */
  path: string
  params: Record<string, string>
  query: Record<string, string>
  /** JSON as text; null if there is no JSON body. */
  body: string | null
  /** The fields of a multipart form; null for other bodies. */
  form: { name: string; value: string; is_file: boolean; is_required: boolean }[] | null
}

/** The deepest nesting that is listed: no schema of ours is deeper, and a schema may refer to itself. */
const DEEPEST = 6

/** Zod's type allows any JSON Schema; what it generates from our schemas uses only these keywords, and is never `true` or `false`. */
const toSchema = (schema: z.ZodType, io: 'input' | 'output') =>
  (io === 'input' ? inputJsonSchema(schema) : outputJsonSchema(schema)) as Schema

type Told = { schema: Schema; defs: Record<string, Schema>; is_nullable: boolean }

/** Resolves references, and separates `null` from a nullable type. */
function told(given: Schema, defs: Record<string, Schema>): Told {
  const named = given.$ref
    ? { ...defs[given.$ref.replace('#/$defs/', '')], ...without(given, '$ref') }
    : given
  const choices = (named.anyOf ?? named.oneOf)?.map((choice) => told(choice, defs).schema)
  if (choices) {
    const some = choices.filter((choice) => choice.type !== 'null')
    const is_nullable = some.length < choices.length
    const only = some.length === 1 ? some[0] : undefined
    const outer = without(without(named, 'anyOf'), 'oneOf')
    return { schema: only ? { ...only, ...outer } : { ...outer, anyOf: some }, defs, is_nullable }
  }
  if (named.allOf) {
    const parts = named.allOf.map((part) => told(part, defs).schema)
    return { schema: Object.assign({}, ...parts, without(named, 'allOf')), defs, is_nullable: false }
  }
  if (!Array.isArray(named.type)) return { schema: named, defs, is_nullable: false }
  const types = named.type.filter((type) => type !== 'null')
  const type = types.length === 1 ? types[0] : types
  return { schema: { ...named, type }, defs, is_nullable: types.length < named.type.length }
}

const without = (schema: Schema, key: keyof Schema): Schema => {
  const { [key]: _, ...rest } = schema
  return rest
}

/** Every field of an object, or of the items of a list, in the order of the contract. */
export function fieldRows(schema: z.ZodType, io: 'input' | 'output'): FieldRow[] {
  const whole = toSchema(schema, io)
  return listRows(whole, whole.$defs ?? {}, '', 0, io)
}

function listRows(
  given: Schema,
  defs: Record<string, Schema>,
  at: string,
  depth: number,
  io: 'input' | 'output',
): FieldRow[] {
  if (depth > DEEPEST) return []
  const { schema } = told(given, defs)
  if (schema.anyOf) return schema.anyOf.flatMap((choice) => listRows(choice, defs, at, depth, io))
  if (schema.items) return listRows(schema.items, defs, `${at}[]`, depth, io)
  if (typeof schema.additionalProperties === 'object')
    return listRows(schema.additionalProperties, defs, `${at}.*`, depth, io)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = told(property, defs)
    const path = at ? `${at}.${name}` : name
    return [
      {
        path,
        name,
        depth,
        type: describeType(field.schema, defs) + (field.is_nullable ? ' or null' : ''),
        is_required: io === 'input' && (schema.required ?? []).includes(name),
        limits: describeLimits(field.schema),
        description: field.schema.description ?? '',
      },
      ...listRows(property, defs, path, depth + 1, io),
    ]
  })
}

function describeType(schema: Schema, defs: Record<string, Schema>): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map((choice) => describeType(choice, defs)))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.items) return `list of ${describeType(told(schema.items, defs).schema, defs)}`
  if (schema.format === 'binary') return 'file'
  if (schema.format) return schema.format
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  return schema.type ?? 'any'
}

function describeLimits(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const values = schema.enum ?? (schema.items?.enum || undefined)
  return [
    values ? `one of ${values.join(', ')}` : null,
    describeSpan(minimum, maximum, ''),
    describeSpan(minLength || undefined, maxLength, ' characters'),
    describeSpan(minItems || undefined, maxItems, ' items'),
    schema.default === undefined || schema.default === null
      ? null
      : `default ${JSON.stringify(schema.default)}`,
  ].filter((limit) => limit !== null)
}

function describeSpan(least: number | undefined, most: number | undefined, unit: string): string | null {
  const said = (value: number) => value.toLocaleString('en')
  if (least !== undefined && most !== undefined) return `${said(least)} to ${said(most)}${unit}`
  if (most !== undefined) return `at most ${said(most)}${unit}`
  return least === undefined ? null : `at least ${said(least)}${unit}`
}

/** A request that the contract accepts: the required fields, plus the contract's own `example`. */
export function exampleRequest(contract: Contract): ExampleRequest {
  const { method, params, query, body, body_type, example } = contract
  const given = params ? sampleObject(params) : {}
  const json = body && body_type !== 'multipart' ? (example?.body ?? sampleObject(body)) : null
  const isEmpty = json !== null && Object.keys(json).length === 0
  return {
    method,
    path: `/api/v1${contract.path}`,
    params: { ...toTexts(given), ...toTexts(example?.params) },
    query: { ...toTexts(query ? sampleObject(query) : {}), ...toTexts(example?.query) },
    body: json && JSON.stringify(isEmpty && body && method === 'PATCH' ? sampleChange(body) : json, null, 2),
    form: body && body_type === 'multipart' ? listFormFields(body, example?.body) : null,
  }
}

/** A made-up response: every field with a value of its type. */
export function exampleAnswer({ response, file, stream }: Contract): string | null {
  if (!response || file || stream) return null
  const schema = toSchema(response, 'output')
  return JSON.stringify(sampleValue('', schema, schema.$defs ?? {}, 'all', 0), null, 2)
}

function sampleObject(schema: z.ZodType): Record<string, unknown> {
  const json = toSchema(schema, 'input')
  const value = sampleValue('', json, json.$defs ?? {}, 'required', 0)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** An empty change would show nothing, so the example changes the first field that may be changed. */
function sampleChange(schema: z.ZodType): Record<string, unknown> {
  const json = toSchema(schema, 'input')
  const [first] = Object.entries(json.properties ?? {})
  return first ? { [first[0]]: sampleValue(first[0], first[1], json.$defs ?? {}, 'required', 1) } : {}
}

const toTexts = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function listFormFields(body: z.ZodType, example: unknown): ExampleRequest['form'] {
  const { properties = {}, required = [] } = toSchema(body, 'input')
  const values = asRecord(example)
  return Object.entries(properties).map(([name, property]) => {
    const { schema } = told(property, {})
    const is_required = required.includes(name)
    const is_file = schema.format === 'binary'
    const made = is_required && !is_file ? sampleValue(name, schema, {}, 'required', 0) : ''
    return { name, value: String(values[name] ?? made), is_file, is_required }
  })
}

const BY_FORMAT: Record<string, string> = {
  uuid: '0198f2a4-7b1c-7e3d-9a5f-2c4b6d8e0f13',
  'date-time': '2027-03-02T09:00:00.000Z',
  date: '2027-03-02',
  email: 'ada@example.com',
  uri: 'https://example.com/hook',
}
const BY_NAME: Record<string, string> = {
  email: 'ada@example.com',
  address: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Spring outreach',
  company: 'Analytical Engines',
  domain: 'example.com',
  subject: 'A question about {{ company }}',
  text: 'Hello Ada, a word about the engine?',
  message: 'Which campaigns are running?',
  host: 'smtp.example.com',
  timezone: 'Europe/Berlin',
}

/** `required` leaves out optional fields; `all` includes them. */
function sampleValue(
  name: string,
  given: Schema,
  defs: Record<string, Schema>,
  which: 'required' | 'all',
  depth: number,
): unknown {
  const { schema } = told(given, defs)
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleValue(name, schema.anyOf[0], defs, which, depth)
  if (schema.type === 'array' || schema.items)
    return depth > DEEPEST || !schema.items ? [] : [sampleValue(name, schema.items, defs, which, depth + 1)]
  if (schema.type === 'object' || schema.properties) {
    const required = schema.required ?? []
    const wanted = Object.entries(schema.properties ?? {}).filter(
      ([key]) => depth <= DEEPEST && (which === 'all' || required.includes(key)),
    )
    return Object.fromEntries(
      wanted.map(([key, property]) => [key, sampleValue(key, property, defs, which, depth + 1)]),
    )
  }
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  const byFormat = schema.format && BY_FORMAT[schema.format]
  if (byFormat) return byFormat
  const text =
    name.endsWith('_id') || name === 'id' ? BY_FORMAT.uuid : (BY_NAME[name] ?? `a ${name || 'text'}`)
  return typeof text === 'string' ? text.padEnd(schema.minLength ?? 0, '.').slice(0, schema.maxLength) : ''
}
