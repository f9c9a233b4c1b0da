import type { Run } from '#lib/engine/runs'
import { addJob, type Engine, rows, type Tx, withTx } from '#lib/engine/state'

/**
 * Concurrency: a slot is held while a request to the app is in progress, not while a run sleeps or waits. A
 * job that finds no free slot is parked in `waiters` and ends; releasing a slot queues the oldest waiter.
 * Slots are counted under an advisory lock per key, always taken after the run's row lock and in sorted
 * order.
 */
async function lockKeys(tx: Tx, keys: string[]) {
  for (const key of [...keys].sort())
    await tx.query("select pg_advisory_xact_lock(hashtextextended('engine.slot:' || $1, 0))", [key])
}

/**
 * Takes a slot on every key of the run, or on none. If a key is full, parks `payload` there and returns
 * false.
 */
export async function acquire(
  engine: Engine,
  tx: Tx,
  run: Run,
  holder: string,
  payload: object,
): Promise<boolean> {
  if (run.slot_keys.length === 0) return true
  const keys = run.slot_keys.map(([key]) => key)
  await lockKeys(tx, keys)
  const counts = await rows<{ key: string; held: number }>(
    tx,
    'select key, count(*)::int as held from engine.slots where key = any($1) and holder <> $2 group by key',
    [keys, holder],
  )
  const holders = new Map(counts.map((count) => [count.key, count.held]))
  const full = run.slot_keys.find(([key, max]) => (holders.get(key) ?? 0) >= max)
  if (full) {
    await tx.query(
      'insert into engine.waiters (key, max, run_id, payload, since) values ($1, $2, $3, $4, $5)',
      [...full, run.id, JSON.stringify(payload), run.created_at],
    )
    // The job may have been woken for a slot on another of its keys; that slot goes to the next waiter.
    for (const key of keys) if (key !== full[0]) await wake(tx, key)
    return false
  }
  await tx.query(
    `insert into engine.slots (key, holder, engine) select k, $2, $3 from unnest($1::text[]) k
     on conflict (key, holder) do update set engine = excluded.engine, taken_at = excluded.taken_at`,
    [keys, holder, engine.no],
  )
  return true
}

/** Releases the slots that `holder` holds in this engine, and queues the longest waiters. */
export async function release(engine: Engine, tx: Tx, run: Run, holder: string) {
  if (run.slot_keys.length === 0) return
  const keys = run.slot_keys.map(([key]) => key)
  await lockKeys(tx, keys)
  await tx.query('delete from engine.slots where holder = $1 and engine = $2', [holder, engine.no])
  for (const key of keys) await wake(tx, key)
}

/** Queues the oldest waiter of a key that has a free slot. The caller holds the key's lock. */
async function wake(tx: Tx, key: string) {
  const woken = await rows<{ payload: object }>(
    tx,
    `delete from engine.waiters where id = (
       select id from engine.waiters w where w.key = $1
         and (select count(*) from engine.slots s where s.key = w.key) < w.max
       order by since, id limit 1)
     returning payload`,
    [key],
  )
  for (const { payload } of woken) await addJob(tx, 'exec', payload)
}

/** Wakes a waiter for every free slot. Repairs whatever a crash or a cancelled waiter left behind. */
export async function wakeAll(tx: Tx) {
  const free = await rows<{ key: string; places: number }>(
    tx,
    `select key, max(max) - (select count(*) from engine.slots s where s.key = w.key)::int as places
     from engine.waiters w group by key`,
  )
  await lockKeys(
    tx,
    free.map(({ key }) => key),
  )
  for (const { key, places } of free) for (let place = 0; place < places; place++) await wake(tx, key)
}

/** Frees the slots of `holder` if its run ended during the call, when the run is no longer at hand. */
export async function freeHolder(engine: Engine, holder: string) {
  await withTx(engine.pool, async (tx) => {
    await tx.query('delete from engine.slots where holder = $1 and engine = $2', [holder, engine.no])
    await wakeAll(tx)
  })
}
