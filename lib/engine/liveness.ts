import { readFile } from 'node:fs/promises'
import { Client, type Pool } from 'pg'
import { wakeAll } from '#lib/engine/slots'
import { type Engine, type Log, row, type Tx, tellDue, withTx } from '#lib/engine/state'
import { pullBackJobs } from '#lib/engine/timers'

/** First key of the advisory locks that living engines hold; the second is the engine's number. */
const ENGINE_LOCK = 0x0e57
const SCHEMA_LOCK = 0x0e58
const JANITOR_MS = 2_000
/**
 * If there are no other engines and no calls, there is nothing to take over or tidy up, so the janitor only
 * checks for both this often.
 */
const ALONE_MS = 10_000
/**
 * An engine that has not reported for this long is cut off from the database, whatever locks it seems to
 * hold.
 */
const SILENT = "interval '20 seconds'"
/** How often an engine reports that it is alive. */
const SIGN = "interval '5 seconds'"
/** The janitor looks for locks that no known engine holds once in this many rounds. */
const ORPHAN_ROUNDS = 30

/** Creates missing schema objects. Engines that start at the same moment take turns. */
export async function installSchema(pool: Pool) {
  const schema = await readFile(new URL('./schema.sql', import.meta.url), 'utf8')
  await withTx(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1, 0)', [SCHEMA_LOCK])
    await tx.query(schema)
  })
}

/** Runs `work` while no other engine runs work under the same lock. */
export async function withSchemaLock(life: Life, work: () => Promise<void>) {
  await life.client.query('select pg_advisory_lock($1, 1)', [SCHEMA_LOCK])
  await work().finally(() => life.client.query('select pg_advisory_unlock($1, 1)', [SCHEMA_LOCK]))
}

export type Life = {
  no: number
  client: Client
  isRegistered: boolean
  /** Stops this engine, because others have taken over its work. */
  lost: (reason: string) => void
  end: () => Promise<void>
}

/**
 * Takes a number and holds a session lock on it. Postgres drops the lock as soon as this process or its
 * connection is gone, which tells the other engines. `lost` is called if that happens to a living process:
 * others may take over its work, so it has to stop.
 */
export async function lockEngineNumber(
  databaseUrl: string,
  log: Log,
  lost: (reason: string) => void,
): Promise<Life> {
  const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
  const client = new Client({ connectionString: databaseUrl, application_name: 'engine', ...keepAlive })
  let ending = false
  client.on('error', (error) => {
    if (!ending) lost(error.message)
  })
  client.on('end', () => {
    if (!ending) lost('the connection that holds the engine lock ended')
  })
  await client.connect()
  const { no } = (await client.query<{ no: number }>("select nextval('engine.engine_no')::int as no"))
    .rows[0] ?? { no: 0 }
  await client.query('select pg_advisory_lock($1, $2)', [ENGINE_LOCK, no])
  const end = async () => {
    ending = true
    await client
      .query('delete from engine.engines where no = $1', [no])
      .catch((error) => log.warn({ err: error }, 'engine row not removed'))
    await client.end()
  }
  return { no, client, isRegistered: false, lost, end }
}

/**
 * Registers the name under which this engine locks its jobs, so that others can free them, and the functions
 * it serves.
 */
export async function register(engine: Engine, life: Life, pool: string) {
  await life.client.query(
    'insert into engine.engines (no, pool, seen_at, serves) values ($1, $2, now(), $3)',
    [life.no, pool, [...engine.functions.keys()]],
  )
  life.isRegistered = true
}

/**
 * A function exists as long as a living engine serves it. During an upgrade, those of the old and the new
 * version do.
 */
const isServed = '(exists (select 1 from engine.engines e where f.id = any(e.serves)))'

/** One statement per round: reports that this engine is alive and reads what the janitor has to do. */
const HOUSE = `
  with sign as (update engine.engines set seen_at = now() where no = $2 and seen_at < now() - ${SIGN})
  select exists (select 1 from engine.engines where no = $2) as is_known,
    (select coalesce(jsonb_agg(jsonb_build_object('no', e.no, 'pool', e.pool)), '[]') from engine.engines e
      where e.no <> $2 and (e.seen_at < now() - ${SILENT} or not exists (
        select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = $1 and l.objid = e.no::oid and l.granted
          and l.database = (select oid from pg_database where datname = current_database())))) as dead,
    exists (select 1 from engine.engines where no <> $2) as has_others,
    exists (select 1 from engine.slots) or exists (select 1 from engine.waiters) as has_slots,
    exists (select 1 from engine.functions f where (f.removed_at is null) <> ${isServed}) as has_changed`
type House = {
  is_known: boolean
  dead: { no: number; pool: string }[]
  has_others: boolean
  has_slots: boolean
  /** The set of served functions has changed: the last engine serving one is gone, or one came back. */
  has_changed: boolean
}

/**
 * Releases the jobs and slots of engines whose lock is gone or that are silent. The next pickup of their exec
 * jobs counts the lost call as an attempt.
 */
async function releaseDeadEngines(engine: Engine, life: Life, dead: House['dead']) {
  for (const { no, pool } of dead) {
    await withTx(engine.pool, async (tx) => {
      if (!(await row(tx, 'delete from engine.engines where no = $1 returning no', [no]))) return
      await tx.query('select graphile_worker.force_unlock_workers(array[$1])', [pool])
      // Interrupted calls are made again and keep their slots; slots that are not claimed soon are tidied
      // away.
      await tx.query('update engine.slots set engine = $2, taken_at = now() where engine = $1', [no, life.no])
      await tellDue(tx, new Date())
      engine.log.warn({ engine: no }, 'took over the work of an engine that died')
    })
  }
}

/** Frees locks of worker pools that never registered: their engine died in the instant between. */
async function freeOrphans(engine: Engine) {
  await engine.pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker._private_jobs
     where locked_at < now() - interval '1 minute' and locked_by not in (select pool from engine.engines) having count(*) > 0`,
  )
}

/**
 * Frees slots of this engine that no call holds (a job failed between taking and releasing one), then wakes
 * waiters. Young slots are left alone: their holder may have become active after `busy` was read.
 */
async function tidySlots(engine: Engine) {
  const busy = [...engine.active]
  await withTx(engine.pool, async (tx) => {
    await tx.query(
      "delete from engine.slots where engine = $1 and taken_at < now() - interval '5 seconds' and not holder = any($2)",
      [engine.no, busy],
    )
    await wakeAll(tx)
  })
}

async function noteServed(engine: Engine) {
  await engine.pool.query(
    `update engine.functions f set removed_at = case when ${isServed} then null else now() end
     where (f.removed_at is null) <> ${isServed}`,
  )
}

/**
 * Sets the functions this engine serves from now on; functions that no engine serves any more are removed.
 */
export async function serveFunctions(engine: Engine, tx: Tx) {
  const ids = [...engine.functions.keys()]
  await tx.query('update engine.engines set serves = $2 where no = $1', [engine.no, ids])
  await tx.query(
    `update engine.functions f set removed_at = now()
     where f.removed_at is null and not f.id = any($1) and not ${isServed}`,
    [ids],
  )
}

/** Runs the janitor every two seconds, or every ten if that is enough. Returns a function that stops it. */
export function startJanitor(engine: Engine, life: Life): () => Promise<void> {
  /** Counted in units of JANITOR_MS. */
  let round = 0
  let orphansAt = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let working: Promise<void> = Promise.resolve()
  const keepHouse = async () => {
    let pauseMs = JANITOR_MS
    try {
      const house = await row<House>(engine.pool, HOUSE, [ENGINE_LOCK, life.no])
      // The other engines gave this one up and took over its work, so it must end.
      if (life.isRegistered && house && !house.is_known && !engine.stopping)
        life.lost('nothing was heard of this engine for too long, and others took over its work')
      if (house && !house.has_others && !house.has_slots && life.isRegistered) pauseMs = ALONE_MS
      await releaseDeadEngines(engine, life, house?.dead ?? [])
      if (round >= orphansAt) {
        orphansAt = round + ORPHAN_ROUNDS
        await freeOrphans(engine)
        await pullBackJobs(engine.pool)
      }
      if (house?.has_changed && life.isRegistered) await noteServed(engine)
      if (house?.has_slots) await tidySlots(engine)
    } catch (error) {
      engine.log.error({ err: error }, 'the janitor failed and will try again')
    }
    round += pauseMs / JANITOR_MS
    if (!stopped) timer = setTimeout(start, pauseMs)
  }
  const start = () => {
    working = keepHouse()
  }
  start()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await working
  }
}
