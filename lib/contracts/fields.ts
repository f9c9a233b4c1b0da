import { z } from 'zod'
import { isWritable } from '#lib/domain/calendar/local-time'
import { isTimeZone } from '#lib/domain/calendar/zoned-time'
import { readListCursor } from '#lib/domain/text/list-cursor'
import { asRecord } from '#lib/domain/text/record'

/**
 * Postgres refuses NUL, UTF-8 has no lone surrogates, and an infinite number (1e999) would be stored as null. Checks keys and
 * values at any depth.
 */
function isHoldable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isHoldable(key) && isHoldable(inner))
}

/** Text that Postgres can store; if it must not be empty, it must be more than white space. */
export const text = (min = 0, max = 10_000) => {
  const bounded = z
    .string()
    .min(min)
    .max(max, { abort: true })
    .refine(isHoldable, 'must be well-formed text without NUL')
  return min > 0 ? bounded.regex(/\S/, 'must be more than white space') : bounded
}

/** Text that may be empty, but must not be white space alone. */
export const emptyOrText = (max: number) => text(0, max).regex(/^$|\S/, 'must be more than white space')

/** Ids are UUIDv7; any UUID is accepted, and lower-cased. */
export const id = () => z.uuid().toLowerCase()

/** The id of no row. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** An id in a path: anything but a UUID is treated as an id that does not exist. */
export const pathId = () =>
  z
    .string()
    .meta({ format: 'uuid' })
    .transform((value) => id().catch(NOBODY).parse(value))

/** A number that is out of bounds is an integer and gets another message. */
const notWhole = ({ code }: { code: string }) =>
  code === 'invalid_type' ? 'must be a whole number in decimal digits' : undefined

/** In a query: decimal digits only. Tools send numbers. */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int({ error: notWhole }).min(min).max(max),
  )

/** In a query: the order of a list; an empty value means the default order. */
export const sortBy = <const Orders extends readonly [string, ...string[]]>(orders: Orders) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.enum(orders).optional())

/** Out: ISO 8601 in UTC with milliseconds. Services return a Date. */
export const dateTime = () =>
  z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime())

/** In: ISO 8601 with any offset. */
export const dateTimeInput = () =>
  z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value))
    .refine(isWritable, 'must be in the years 1 to 9999 of UTC')

/** In: a date that is stored. Postgres has no year 0. */
export const dateInput = () =>
  z.iso.date().refine((value) => value >= '0001', 'must be in the years 1 to 9999')

/** A local date and time; the operation says in which time zone, and refuses an invalid one. */
export const localTime = () => z.string().max(19).describe('YYYY-MM-DDTHH:MM, without an offset.')

const MAX_TIME = 8

/** In: HH:MM or HH:MM:SS. Out: HH:MM:SS. */
export const timeOfDay = () =>
  z
    .string()
    .max(MAX_TIME, { abort: true, error: 'must be a time of day, HH:MM or HH:MM:SS' })
    .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time of day, HH:MM or HH:MM:SS')
    .transform((value) => (value.length === 5 ? `${value}:00` : value))

type JsonObject = Record<string, z.core.util.JSONType>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const PROTO = '__proto__'

type Named<Value extends z.ZodType> = z.ZodRecord<z.ZodString, Value>

/** `z.record` drops a key `__proto__`; this one keeps it, as an own property that does not change the prototype. */
const NamedRecord = z.core.$constructor<Named<z.ZodType>>('NamedRecord', (inst, def) => {
  z.ZodRecord.init(inst, def)
  const { parse } = inst._zod
  inst._zod.parse = (payload, context) => {
    const given: unknown = payload.value
    const read = parse(payload, context)
    if (read instanceof Promise || !isObject(given) || !Object.hasOwn(given, PROTO)) return read
    const part = def.valueType._zod.run({ value: given[PROTO], issues: [] }, context)
    if (part instanceof Promise) throw new Error('Parts of records are read at once.')
    read.issues.push(...z.core.util.prefixIssues(PROTO, part.issues))
    const parts = new Map(Object.entries(asRecord(read.value))).set(PROTO, part.value)
    // Keeps the order of the input.
    read.value = Object.fromEntries(
      Object.keys(given).flatMap((name) => (parts.has(name) ? [[name, parts.get(name)]] : [])),
    )
    return read
  }
})

/** An object whose keys come from outside, such as the columns of a sheet. */
export function named<Value extends z.ZodType>(value: Value): Named<Value>
export function named(value: z.ZodType) {
  return new NamedRecord({ type: 'record', keyType: z.string(), valueType: value })
}

/** A JSON object unchanged, including a key `__proto__`, which `z.record` drops. */
export const jsonObject = () =>
  z.custom<JsonObject>(isObject, 'must be an object').meta({ type: 'object', additionalProperties: {} })

/** A free-form JSON object whose keys and texts Postgres can store. */
export const freeForm = () =>
  jsonObject().refine(isHoldable, 'must hold only well-formed text without NUL, and no number beyond 1.8e308')

export const TIMEZONES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])

export const timezone = () =>
  z
    .string()
    .max(64, { abort: true })
    .refine((value) => TIMEZONES.has(value) || isTimeZone(value), 'must be an IANA time zone')

/** Out, on every object that people edit. */
export const version = () =>
  z.int().min(1).describe('Increases with each edit, but not with counters or status.')

/** In: the version that an edit is based on. */
export const editedVersion = () =>
  z
    .int()
    .min(1)
    .max(2_147_483_647)
    .nullish()
    .describe(
      'The version your change is based on. If it is no longer the latest: 409 `changed_meanwhile`, and nothing changes. If omitted, the current version is changed.',
    )

/** `page` counts from 1; a page past the end is empty. */
export const paging = {
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(1),
  page_size: wholeNumber(1, 100).default(20),
}

/** In a query: the `next_after` of the previous page. */
export const cursor = () =>
  text(0, 200).transform((value, context) => {
    const read = readListCursor(value)
    if (read) return read
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' })
    return z.NEVER
  })

/** With `true` the operation returns what it would do, and does nothing. */
export const dryRun = () =>
  z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` returns what would change, with the forecast before and after, and changes nothing.')

/** The envelope of every list whose shape the contract does not fix otherwise. */
export const listEnvelope = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), page_size: z.int() })

/** An absent query parameter and an empty one mean the same. */
export const optionalText = (max = 255) =>
  z.preprocess((value) => (value === '' ? undefined : value), text(0, max).optional())

/** Formats of exported tables, with their media types. */
export const EXPORT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type ExportFormat = keyof typeof EXPORT_TYPES

/** All file formats that an operation may return. */
export const FILE_TYPES = {
  ...EXPORT_TYPES,
  ndjson: 'application/x-ndjson',
  // Content from elsewhere: a browser must not treat it as a page.
  bytes: 'application/octet-stream',
} as const

export const exportQuery = () =>
  z.object({ format: z.enum(['csv', 'xlsx']).default('csv').describe('The format of the file.') })

export type FileAnswer = {
  filename: string
  format: keyof typeof FILE_TYPES
  parts: AsyncIterable<Uint8Array>
}

/** A file that is streamed while it is produced. */
export const fileAnswer = () => z.custom<FileAnswer>()
