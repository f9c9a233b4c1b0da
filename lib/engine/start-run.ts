import type { FunctionConfig } from '#lib/engine/config'
import { parseKey } from '#lib/engine/paths'
import { type EventBody, ulid } from '#lib/engine/protocol'
import { addJob, row, type Tx } from '#lib/engine/state'

type Start = {
  event: EventBody
  /** Idempotency key: a second start with the same key does nothing. */
  idem: string
  cron?: string
  runAt?: Date
}

/** The slots that a run needs: of its function, and of each key taken from its event. */
const slotKeys = (fn: FunctionConfig, event: EventBody): [string, number][] =>
  (fn.concurrency ?? [])
    .filter(({ limit }) => limit > 0)
    .map(({ limit, key }, index) => [
      `${fn.id}:${index}:${key === undefined ? '' : JSON.stringify(parseKey(key)(event))}`,
      limit,
    ])

/** Creates a run and its first job in the caller's transaction. Returns false if it was created before. */
export async function startRun(tx: Tx, fn: FunctionConfig, start: Start): Promise<boolean> {
  const created = await row<{ id: string }>(
    tx,
    `insert into engine.runs (id, fn_id, status, event_ids, events, idem, cron, slot_keys, disc)
     values ($1, $2, 'queued', array[$3], $4, $5, $6, $7, 'queued') on conflict (idem) do nothing returning id`,
    [
      ulid(),
      fn.id,
      start.event.id,
      JSON.stringify([start.event]),
      start.idem,
      start.cron ?? null,
      JSON.stringify(slotKeys(fn, start.event)),
    ],
  )
  if (created) await addJob(tx, 'exec', { run: created.id, gen: 1 }, { runAt: start.runAt })
  return created !== undefined
}
