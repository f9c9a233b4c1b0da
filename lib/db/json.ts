import { Prisma } from '#lib/db/generated/client'
import { jsonText } from '#lib/db/json-text'

/** What Prisma accepts for a jsonb column. */
export type InputJsonObject = Prisma.InputJsonObject
export type InputJsonValue = Prisma.InputJsonValue

/** SQL NULL in a jsonb column, as told from JSON's null. */
export const { DbNull } = Prisma

/** A foreign value that Prisma can store: without what Postgres refuses, see `jsonText`. */
export const storableJson = (value: unknown): InputJsonValue => JSON.parse(jsonText(value))
