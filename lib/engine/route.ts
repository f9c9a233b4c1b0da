import { type FunctionConfig, parseDuration } from '#lib/engine/config'
import { matches } from '#lib/engine/events'
import { evaluate } from '#lib/engine/expr'
import type { EventBody } from '#lib/engine/protocol'
import { cancelRun, resumeStep } from '#lib/engine/runs'
import { keyOf, startRun } from '#lib/engine/start-run'
import { addJob, type Engine, row, rows, type Tx, withTx } from '#lib/engine/state'

type Stored = { body: EventBody; received_ms: string }

/**
 * Job `route`: what an event resumes, cancels and starts. Each part commits on its own and can run twice, so a
 * crash in the middle only means that the job begins again.
 */
export async function route(engine: Engine, { ids }: { ids: string[] }) {
  for (const id of ids) {
    const event = await row<Stored>(
      engine.pool,
      'select body, (extract(epoch from received_at) * 1000)::bigint as received_ms from engine.events where id = $1',
      [id],
    )
    if (!event) continue
    await resumeWaits(engine, event.body)
    await cancelRuns(engine, event.body)
    for (const fn of engine.functions.values()) {
      if (isTriggeredBy(fn, event.body)) await withTx(engine.pool, (tx) => trigger(engine, tx, fn, event))
    }
  }
}

const isTriggeredBy = (fn: FunctionConfig, event: EventBody) =>
  fn.triggers.some(
    (trigger) =>
      trigger.event !== undefined &&
      matches(trigger.event, event.name) &&
      (trigger.expression === undefined || Boolean(evaluate(trigger.expression, { event }))),
  )

async function resumeWaits(engine: Engine, event: EventBody) {
  const waits = await rows<{ run_id: string; id: string; expr: string | null; events: EventBody[] }>(
    engine.pool,
    `select s.run_id, s.id, s.expr, r.events from engine.steps s join engine.runs r on r.id = s.run_id
     where s.state = 'waiting' and s.event = $1`,
    [event.name],
  )
  for (const wait of waits) {
    if (wait.expr !== null && !evaluate(wait.expr, { event: wait.events[0], async: event })) continue
    await withTx(engine.pool, (tx) => resumeStep(tx, wait.run_id, wait.id, { type: 'data', data: event }))
  }
}

async function cancelRuns(engine: Engine, event: EventBody) {
  for (const fn of engine.functions.values()) {
    const rules = fn.cancel?.filter((rule) => matches(rule.event, event.name)) ?? []
    if (rules.length === 0) continue
    // An event never cancels the run that it started, not even when this job runs twice.
    const open = await rows<{ id: string; events: EventBody[]; age_ms: number }>(
      engine.pool,
      `select id, events, (extract(epoch from now() - created_at) * 1000)::float8 as age_ms
       from engine.runs where fn_id = $1 and ended_at is null and not event_ids @> array[$2]`,
      [fn.id, event.id],
    )
    for (const run of open) {
      const cancels = rules.some(
        (rule) =>
          (rule.timeout === undefined || run.age_ms <= parseDuration(rule.timeout)) &&
          (rule.if === undefined || Boolean(evaluate(rule.if, { event: run.events[0], async: event }))),
      )
      if (cancels)
        await withTx(engine.pool, (tx) => cancelRun(engine, tx, run.id, `cancelled by ${event.name}`))
    }
  }
}

async function trigger(engine: Engine, tx: Tx, fn: FunctionConfig, { body: event, received_ms }: Stored) {
  const idem = `${fn.id}:${event.id}:${received_ms}`
  if (await row(tx, 'select 1 from engine.runs where idem = $1', [idem])) return
  if (fn.debounce) return debounce(tx, fn, event)
  if (fn.batchEvents) return batch(tx, fn, event)
  if (!(await withinLimits(tx, fn, event))) return
  // An event of the future starts its run then.
  const runAt = (await pace(tx, fn, event)) ?? (event.ts > Date.now() ? new Date(event.ts) : undefined)
  await startRun(engine, tx, fn, { events: [event], idem, runAt })
}

/** Windows that open with their first run: `limit` runs of a key in `period`, the others are dropped. */
async function withinLimits(tx: Tx, fn: FunctionConfig, event: EventBody): Promise<boolean> {
  const windows = [
    fn.idempotency === undefined
      ? undefined
      : { name: 'idempotency', key: fn.idempotency, limit: 1, period: '24h' },
    fn.rateLimit && { name: 'rate', ...fn.rateLimit },
  ].filter((window) => window !== undefined)
  for (const { name, key, limit, period } of windows) {
    const window = await row<{ hits: number }>(
      tx,
      `insert into engine.limits as old (key, hits, ends_at) values ($1, 1, now() + $2 * interval '1 millisecond')
       on conflict (key) do update set
         hits = case when old.ends_at <= now() then 1 else old.hits + 1 end,
         ends_at = case when old.ends_at <= now() then excluded.ends_at else old.ends_at end
       returning hits`,
      [`${fn.id}:${name}:${keyOf(key, event)}`, parseDuration(period)],
    )
    if ((window?.hits ?? 0) > limit) return false
  }
  return true
}

/** Throttling spreads starts evenly, `period / limit` apart, after a burst; nothing is dropped. */
async function pace(tx: Tx, fn: FunctionConfig, event: EventBody): Promise<Date | undefined> {
  if (!fn.throttle) return undefined
  const { key, limit, period, burst = 1 } = fn.throttle
  const spacing = parseDuration(period) / limit
  const paced = await row<{ run_at: Date }>(
    tx,
    `insert into engine.throttles as old (key, free_at) values ($1, now() + $2 * interval '1 millisecond')
     on conflict (key) do update set free_at = greatest(old.free_at, now()) + $2 * interval '1 millisecond'
     returning greatest(now(), free_at - $2 * $3::int * interval '1 millisecond') as run_at`,
    [`${fn.id}:${keyOf(key, event)}`, spacing, burst],
  )
  return paced?.run_at
}

/** The latest event of a quiet period starts one run; `timeout` bounds how long newer events may put it off. */
async function debounce(tx: Tx, fn: FunctionConfig, event: EventBody) {
  if (!fn.debounce) return
  const key = keyOf(fn.debounce.key, event)
  const { since } = await gather(tx, fn, key, event)
  const quiet = Date.now() + parseDuration(fn.debounce.period)
  const latest = fn.debounce.timeout ? since.getTime() + parseDuration(fn.debounce.timeout) : quiet
  await addJob(
    tx,
    'flush',
    { fn: fn.id, key },
    { key: flushKey(fn, key), runAt: new Date(Math.min(quiet, latest)) },
  )
}

/** Events gather until there are `maxSize` of them or the first is `timeout` old. */
async function batch(tx: Tx, fn: FunctionConfig, event: EventBody) {
  if (!fn.batchEvents) return
  const key = keyOf(fn.batchEvents.key, event)
  const { size, since } = await gather(tx, fn, key, event)
  const full = size >= fn.batchEvents.maxSize
  const runAt = full ? new Date() : new Date(since.getTime() + parseDuration(fn.batchEvents.timeout))
  await addJob(tx, 'flush', { fn: fn.id, key }, { key: flushKey(fn, key), runAt })
}

const flushKey = (fn: FunctionConfig, key: string) => `flush:${fn.id}:${key}`
const lockBuffer = (tx: Tx, fn: FunctionConfig, key: string) =>
  tx.query("select pg_advisory_xact_lock(hashtextextended('engine.buffer:' || $1, 0))", [flushKey(fn, key)])

async function gather(tx: Tx, fn: FunctionConfig, key: string, event: EventBody) {
  await lockBuffer(tx, fn, key)
  await tx.query(
    'insert into engine.buffers (fn_id, key, event_id, event) values ($1, $2, $3, $4) on conflict do nothing',
    [fn.id, key, event.id, JSON.stringify(event)],
  )
  const gathered = await row<{ size: number; since: Date }>(
    tx,
    'select count(*)::int as size, min(added_at) as since from engine.buffers where fn_id = $1 and key = $2',
    [fn.id, key],
  )
  return gathered ?? { size: 0, since: new Date() }
}

/** Job `flush`: starts the run of what was gathered. */
export async function flush(engine: Engine, { fn: fnId, key }: { fn: string; key: string }) {
  const fn = engine.functions.get(fnId)
  if (!fn) {
    engine.log.warn(
      { fn_id: fnId, key },
      'gathered events are dropped: their function is not served any more',
    )
    await engine.pool.query('delete from engine.buffers where fn_id = $1', [fnId])
    return
  }
  await withTx(engine.pool, async (tx) => {
    await lockBuffer(tx, fn, key)
    const gathered = await rows<{ event: EventBody }>(
      tx,
      `delete from engine.buffers where (fn_id, key, event_id) in (
         select fn_id, key, event_id from engine.buffers where fn_id = $1 and key = $2 order by added_at limit $3)
       returning event, added_at`,
      [fn.id, key, fn.batchEvents?.maxSize ?? 1_000_000],
    )
    const events = gathered.map(({ event }) => event).sort((a, b) => a.ts - b.ts)
    const last = events.at(-1)
    if (!last || !(await withinLimits(tx, fn, last))) return
    const taken = fn.debounce ? [last] : events
    await startRun(engine, tx, fn, {
      events: taken,
      idem: `${flushKey(fn, key)}:${last.id}:${Date.now()}`,
      runAt: await pace(tx, fn, last),
    })
    const left = await row(tx, 'select 1 from engine.buffers where fn_id = $1 and key = $2 limit 1', [
      fn.id,
      key,
    ])
    if (left) await addJob(tx, 'flush', { fn: fn.id, key }, { key: flushKey(fn, key) })
  })
}
