import type { Prisma } from '#lib/db/generated/client'

/** What Prisma takes for a jsonb column that holds an object. */
export type InputJsonObject = Prisma.InputJsonObject
export type InputJsonValue = Prisma.InputJsonValue
