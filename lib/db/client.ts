import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '#lib/db/generated/client'
import { env } from '#lib/env'

/** Next reloads modules in development; the pool must outlive that. */
const kept = globalThis as typeof globalThis & { opener_pool?: pg.Pool; opener_prisma?: PrismaClient }

/** Whoever only reads needs no transaction. */
export type Reader = pg.Pool | pg.PoolClient

/** The one pool of this process: Prisma and hand-written SQL share it. */
export function pool(): pg.Pool {
  if (!kept.opener_pool) {
    kept.opener_pool = new pg.Pool({
      connectionString: env().DATABASE_URL,
      max: env().DATABASE_POOL_SIZE,
      // A burst waits its turn; nobody is refused because the machine is slow for a moment.
      connectionTimeoutMillis: 20_000,
    })
    // An idle connection that breaks (a restart of Postgres) is replaced at the next use.
    kept.opener_pool.on('error', () => {})
  }
  return kept.opener_pool
}

function prisma(): PrismaClient {
  kept.opener_prisma ??= new PrismaClient({
    adapter: new PrismaPg(pool()),
    // Prisma's own limits (2 s, 5 s) give up where a busy machine is merely slow.
    transactionOptions: { maxWait: 15_000, timeout: 60_000 },
  })
  return kept.opener_prisma
}

/** Made at its first use, so that importing a service needs no database. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get: (_, property) => Reflect.get(prisma(), property),
})

/** Closes both; a process calls it once before it ends. */
export async function closeDatabase(): Promise<void> {
  await kept.opener_prisma?.$disconnect()
  await kept.opener_pool?.end()
  kept.opener_prisma = undefined
  kept.opener_pool = undefined
}
