import type { QueryConfig, QueryResultRow } from 'pg'
import type { PrismaClient } from '#lib/db/generated/client'

/** Whoever runs a statement in a transaction: a connection of the pool, or Prisma's (see `toStatements`). */
export type Statements = {
  query<Row extends QueryResultRow>(text: string | QueryConfig, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Prisma's transaction as a connection, for modules that write SQL: one of the two has to lend the other its own. */
export const toStatements = (tx: Pick<PrismaClient, '$queryRawUnsafe'>): Statements => ({
  async query<Row extends QueryResultRow>(text: string | QueryConfig, values: unknown[] = []) {
    const asked = typeof text === 'string' ? { text, values } : { text: text.text, values: text.values ?? [] }
    return { rows: await tx.$queryRawUnsafe<Row[]>(asked.text, ...asked.values) }
  },
})

/** SQL: names of ours, as a list for IN. */
export const sqlList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
