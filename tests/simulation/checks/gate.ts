import pg from 'pg'
import { realTimeout } from '#tests/simulation/worlds/timers'

/**
 * Every statement of the code under test stops at this gate until the stage lets it go: the seed thus chooses the order in which several
 * workers reach the one database, while the locks that they meet there are Postgres' own.
 */
export type Statement = {
  actor: string
  client: GatedClient
  sql: string
  state: 'parked' | 'blocked' | 'done'
  /** Sends the statement; resolves once Postgres has answered, with a result or an error. */
  send(): Promise<void>
  /** The answer is withheld until `deliver`; `fail` reports a lost connection instead. */
  deliver(): void
  fail(error: Error): void
}

/** `inside`: within a transaction; `began`: the number of commits when it began. */
export type GatedClient = pg.PoolClient & {
  processID: number
  gone?: boolean
  inside?: boolean
  began?: number
}

export type Gate = {
  /** Open: statements pass at once (while the scene is set up). */
  open: boolean
  parked: Statement[]
  /** The number of connections being opened and of reads that were let through, right now. */
  connecting(): number
  openPool(actor: string): pg.Pool
  /** Terminates one connection on the server, and waits until its locks are released. */
  cut(client: GatedClient): Promise<void>
  /** Ends a process: nothing of it continues, and its transactions are rolled back. */
  kill(actor: string): Promise<void>
  /** Whether another connection is within a transaction, and may hold a lock that this one needs. */
  mayBlock(client: GatedClient): boolean
  /** The pids that hold the lock that this connection waits for; empty when it waits for none. */
  blockers(client: GatedClient): Promise<number[]>
  /** The connections, except one, whose statement waits for a lock, or waited for it until just now. */
  blocked(except?: GatedClient): number[]
  close(): Promise<void>
}

const LOST = 'Connection terminated unexpectedly'

export function createGate(url: string, control: pg.Client): Gate {
  const pools = new Map<string, { pool: pg.Pool; clients: Set<GatedClient> }>()
  const dead = new Set<string>()
  let connecting = 0

  const statement = (actor: string, client: GatedClient, sql: string, run: () => Promise<unknown>) => {
    if (dead.has(actor)) return new Promise<never>(() => undefined)
    if (client.gone) return Promise.reject(new Error(LOST))
    if (gate.open) return run()
    // Prisma sends several queries at once, in no reliable order; reads hold no locks, so they may all pass.
    if (actor === 'owner' && /^\s*SELECT(?!.* FOR (NO KEY )?UPDATE)/is.test(sql)) {
      connecting += 1
      return run().finally(() => {
        connecting -= 1
      })
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    let answer: () => void = () => undefined
    const one: Statement = {
      actor,
      client,
      sql,
      state: 'parked',
      send: () =>
        run().then(
          (value) => {
            answer = () => resolve(value)
          },
          (error) => {
            answer = () => reject(error)
          },
        ),
      deliver: () => answer(),
      fail: reject,
    }
    gate.parked.push(one)
    return promise
  }

  const cut = async (client: GatedClient) => {
    if (client.gone) return
    client.gone = true
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    await control.query('SELECT pg_terminate_backend($1)', [client.processID])
    await Promise.race([ended, new Promise((resolve) => realTimeout(resolve, 1_000))])
    for (;;) {
      const { rowCount } = await control.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [
        client.processID,
      ])
      if (rowCount === 0) return
      await new Promise((resolve) => realTimeout(resolve, 1))
    }
  }

  const gate: Gate = {
    open: true,
    parked: [],
    connecting: () => connecting,
    openPool: (actor) => {
      dead.delete(actor)
      const clients = new Set<GatedClient>()
      const pool = new pg.Pool({
        connectionString: url,
        max: 30,
        idleTimeoutMillis: 0,
        application_name: actor,
      })
      pool.on('error', () => undefined)
      pool.on('connect', (client) => {
        const gated = client as GatedClient
        clients.add(gated)
        client.once('end', () => clients.delete(gated))
        guardQueries(gated, (sql, run) => statement(actor, gated, sql, run))
      })
      guardConnects(pool, (change) => {
        connecting += change
      })
      pools.set(actor, { pool, clients })
      return pool
    },
    cut,
    kill: async (actor) => {
      dead.add(actor)
      gate.parked = gate.parked.filter((one) => one.actor !== actor)
      const killed = pools.get(actor)
      pools.delete(actor)
      // The errors of a dead process reach nobody; here they must not crash the harness.
      for (const client of killed?.clients ?? []) client.on('error', () => undefined)
      for (const client of killed?.clients ?? []) await cut(client)
    },
    mayBlock: (client) =>
      [...pools.values()].some(({ clients }) =>
        [...clients].some((other) => other !== client && other.inside && !other.gone),
      ),
    blockers: async (client) => {
      const { rows } = await control.query<{ by: number[] }>('SELECT pg_blocking_pids($1) AS by', [
        client.processID,
      ])
      return rows[0]?.by ?? []
    },
    blocked: (except) =>
      gate.parked.flatMap(({ client, state }) =>
        state === 'blocked' && client !== except ? [client.processID] : [],
      ),
    close: async () => {
      gate.open = true
      await Promise.all([...pools.values()].map(({ pool }) => pool.end()))
    },
  }
  return gate
}

type Call = (...args: unknown[]) => Promise<unknown>
type Answer = (error: unknown, value?: unknown) => void

function guardQueries(client: GatedClient, statement: (sql: string, run: () => Promise<unknown>) => unknown) {
  const original = client.query.bind(client) as unknown as Call
  const guarded = (...args: unknown[]) => {
    const answer = typeof args.at(-1) === 'function' ? (args.pop() as Answer) : null
    const sql = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
    const run = async () => {
      const value = await original(...args)
      client.inside = /^\s*BEGIN/i.test(sql) || (client.inside && !/^\s*(COMMIT|ROLLBACK)\s*$/i.test(sql))
      return value
    }
    const outcome = statement(sql, run) as Promise<unknown>
    if (!answer) return outcome
    outcome.then((value) => answer(null, value), answer)
  }
  Object.assign(client, { query: guarded })
}

/** Opening a connection is real work of unknown duration: while one is being opened, the stage is not at rest. */
function guardConnects(pool: pg.Pool, count: (change: 1 | -1) => void) {
  const original = pool.connect.bind(pool) as (answer?: Answer) => unknown
  const guarded = (answer?: (...args: unknown[]) => void) => {
    count(1)
    if (!answer) return (original() as Promise<unknown>).finally(() => count(-1))
    original((...args: unknown[]) => {
      count(-1)
      answer(...args)
    })
  }
  Object.assign(pool, { connect: guarded })
}
