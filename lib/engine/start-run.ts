import type { FunctionConfig } from '#lib/engine/config'
import { evaluate } from '#lib/engine/expr'
import { type EventBody, ulid } from '#lib/engine/protocol'
import { cancelRun } from '#lib/engine/runs'
import { addJob, type Engine, row, rows, type Tx } from '#lib/engine/state'

type Start = {
  /** One, or a batch; expressions see the first. */
  events: EventBody[]
  /** What this run is for: a second start with the same text is none. */
  idem: string
  parent?: { run: string; step: string }
  cron?: string
  runAt?: Date
}

/** The text of a key expression over the triggering event; without an expression all events share one key. */
export const keyOf = (expr: string | undefined, event: EventBody | undefined) =>
  expr === undefined ? '' : JSON.stringify(evaluate(expr, { event }) ?? null)

function slotKeys(fn: FunctionConfig, event: EventBody | undefined): [string, number][] {
  return (fn.concurrency ?? [])
    .filter(({ limit }) => limit > 0)
    .map(({ limit, key, scope }, index) => [
      `${scope === 'env' ? 'env' : `${fn.id}:${index}`}:${keyOf(key, event)}`,
      limit,
    ])
}

/** False when a singleton is busy and wants no second run; in `cancel` mode the busy one makes room. */
async function takeSingleton(engine: Engine, tx: Tx, fn: FunctionConfig, key: string): Promise<boolean> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('engine.singleton:' || $1, 0))", [key])
  const busy = await rows<{ id: string }>(
    tx,
    'select id from engine.runs where fn_id = $1 and singleton_key = $2 and ended_at is null',
    [fn.id, key],
  )
  if (fn.singleton?.mode === 'skip') return busy.length === 0
  for (const { id } of busy) await cancelRun(engine, tx, id, 'a newer run of this singleton began')
  return true
}

/** Creates a run and its first job in the caller's transaction. False when the same start was made before. */
export async function startRun(engine: Engine, tx: Tx, fn: FunctionConfig, start: Start): Promise<boolean> {
  const [event] = start.events
  const known = await row(tx, 'select 1 from engine.runs where idem = $1', [start.idem])
  if (known) return false
  const singleton = fn.singleton ? `${fn.id}:${keyOf(fn.singleton.key, event)}` : null
  if (singleton !== null && !(await takeSingleton(engine, tx, fn, singleton))) return false
  const created = await row<{ id: string }>(
    tx,
    `insert into engine.runs (id, fn_id, status, event_ids, events, idem, parent_run, parent_step, singleton_key, cron, slot_keys, disc)
     values ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, 'queued') on conflict (idem) do nothing returning id`,
    [
      ulid(),
      fn.id,
      start.events.map(({ id }) => id),
      JSON.stringify(start.events),
      start.idem,
      start.parent?.run ?? null,
      start.parent?.step ?? null,
      singleton,
      start.cron ?? null,
      JSON.stringify(slotKeys(fn, event)),
    ],
  )
  if (created) await addJob(tx, 'exec', { run: created.id, gen: 1 }, { runAt: start.runAt })
  return created !== undefined
}
