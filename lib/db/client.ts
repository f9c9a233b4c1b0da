import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '#lib/db/generated/client'
import { env } from '#lib/env'
import { processState } from '#lib/process-state'

const kept = processState('database', (): { pool?: pg.Pool; prisma?: PrismaClient } => ({}))

/** For code that only reads and therefore needs no transaction. */
export type Reader = pg.Pool | pg.PoolClient

/** The process's only pool; Prisma and hand-written SQL share it. */
export function pool(): pg.Pool {
  if (!kept.pool) {
    kept.pool = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: env().DATABASE_POOL_SIZE,
      // Bursts wait for a connection rather than fail because the machine is slow for a moment.
      connectionTimeoutMillis: 20_000,
    })
    // An idle connection that breaks (Postgres restarted) is replaced at the next use.
    kept.pool.on('error', () => {})
  }
  return kept.pool
}

function prisma(): PrismaClient {
  kept.prisma ??= new PrismaClient({
    adapter: new PrismaPg(pool()),
    // Prisma's defaults (2 s, 5 s) are too short for a busy machine.
    transactionOptions: { maxWait: 15_000, timeout: 60_000 },
  })
  return kept.prisma
}

/** Created at first use, so that importing a service needs no database. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(prisma(), property),
})

/** Closes Prisma and the pool; a process calls it once before it ends. */
export async function closeDatabase(): Promise<void> {
  await kept.prisma?.$disconnect()
  await kept.pool?.end()
  kept.prisma = undefined
  kept.pool = undefined
}
