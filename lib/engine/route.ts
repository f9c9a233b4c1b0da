import { z } from 'zod'
import type { FunctionConfig } from '#lib/engine/config'
import { parseMatch, parseText } from '#lib/engine/paths'
import type { EventBody } from '#lib/engine/protocol'
import { cancelRun } from '#lib/engine/runs'
import { startRun } from '#lib/engine/start-run'
import { type Engine, row, rows, withTx } from '#lib/engine/state'

export const RoutePayload = z.object({ ids: z.array(z.string()) })

type Stored = { body: EventBody; received_ms: string }

/**
 * Job `route`: cancels and starts runs for an event. Each part commits on its own and can safely run twice,
 * so after a crash the job simply starts again.
 */
export async function route(engine: Engine, { ids }: z.output<typeof RoutePayload>) {
  for (const id of ids) {
    const event = await row<Stored>(
      engine.pool,
      'select body, (extract(epoch from received_at) * 1000)::bigint as received_ms from engine.events where id = $1',
      [id],
    )
    if (!event) continue
    const functions = [...engine.functions.values(), ...(await functionsOfOthers(engine))]
    await cancelRuns(engine, functions, event.body)
    for (const fn of functions) if (isTriggeredBy(fn, event.body)) await trigger(engine, fn, event)
  }
}

/**
 * Functions that only engines of another version serve during an upgrade. Their runs are created here and
 * executed there.
 */
async function functionsOfOthers(engine: Engine): Promise<FunctionConfig[]> {
  const others = await rows<{ cfg: FunctionConfig }>(
    engine.pool,
    'select cfg from engine.functions where removed_at is null and not id = any($1)',
    [[...engine.functions.keys()]],
  )
  return others.map(({ cfg }) => cfg)
}

const isTriggeredBy = (fn: FunctionConfig, event: EventBody) =>
  fn.triggers.some(
    ({ event: name, expression }) =>
      name === event.name && (expression === undefined || parseText(expression)(event)),
  )

async function cancelRuns(engine: Engine, functions: FunctionConfig[], event: EventBody) {
  for (const fn of functions) {
    const rules =
      fn.cancel?.filter((rule) => rule.event === event.name).map((rule) => parseMatch(rule.if)) ?? []
    if (rules.length === 0) continue
    // An event never cancels the run that it started, even if this job runs twice.
    const open = await rows<{ id: string; events: EventBody[] }>(
      engine.pool,
      'select id, events from engine.runs where fn_id = $1 and ended_at is null and not event_ids @> array[$2]',
      [fn.id, event.id],
    )
    for (const run of open) {
      if (rules.some((matches) => matches(run.events[0], event)))
        await withTx(engine.pool, (tx) => cancelRun(engine, tx, run.id, `cancelled by ${event.name}`))
    }
  }
}

/** An event with a future timestamp starts its run at that time. */
async function trigger(engine: Engine, fn: FunctionConfig, { body: event, received_ms }: Stored) {
  const idem = `${fn.id}:${event.id}:${received_ms}`
  const runAt = event.ts > Date.now() ? new Date(event.ts) : undefined
  await withTx(engine.pool, (tx) => startRun(tx, fn, { event, idem, runAt }))
}
