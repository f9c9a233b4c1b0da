import type { QueryConfig, QueryResultRow } from 'pg'
import type { PrismaClient } from '#lib/db/generated/client'

/** Runs statements in a transaction: a pool connection, or Prisma's (see `toStatements`). */
export type Statements = {
  query<Row extends QueryResultRow>(text: string | QueryConfig, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Prisma's transaction in the form of a connection, so that modules written in SQL can take part in it. */
export const toStatements = (tx: Pick<PrismaClient, '$queryRawUnsafe'>): Statements => ({
  async query<Row extends QueryResultRow>(text: string | QueryConfig, values: unknown[] = []) {
    const asked = typeof text === 'string' ? { text, values } : { text: text.text, values: text.values ?? [] }
    return { rows: await tx.$queryRawUnsafe<Row[]>(asked.text, ...asked.values) }
  },
})

/** SQL: our own constants as a list for IN; nothing is escaped. */
export const sqlList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
