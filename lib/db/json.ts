import { Prisma } from '#lib/db/generated/client'

/** What Prisma takes for a jsonb column. */
export type InputJsonObject = Prisma.InputJsonObject
export type InputJsonValue = Prisma.InputJsonValue

/** SQL NULL in a jsonb column, as told from JSON's null. */
export const { DbNull } = Prisma
