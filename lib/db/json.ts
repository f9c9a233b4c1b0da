import { Prisma } from '#lib/db/generated/client'
import { jsonText } from '#lib/db/json-text'

/** The objects that Prisma accepts for a jsonb column. */
export type InputJsonObject = Prisma.InputJsonObject
export type InputJsonValue = Prisma.InputJsonValue

/** SQL NULL in a jsonb column, as distinct from JSON's null. */
export const { DbNull } = Prisma

/** Makes a foreign value storable for Prisma: removes what Postgres refuses, see `jsonText`. */
export const storableJson = (value: unknown): InputJsonValue => JSON.parse(jsonText(value))
