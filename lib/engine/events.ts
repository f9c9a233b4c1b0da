import type { Pool } from 'pg'
import type { EventBody } from '#lib/engine/protocol'
import type { Engine, Tx } from '#lib/engine/state'

/**
 * An event id identifies the same event for 24 hours, as on Inngest Cloud; after that the id may be used
 * again.
 */
const DEDUPE = "interval '24 hours'"

/** Stores new events and queues their routing, in one statement. */
const STORE = `
  with stored as (
    insert into engine.events as old (id, name, body)
    select id, name, body::json from unnest($1::text[], $2::text[], $3::text[]) as given (id, name, body)
    on conflict (id) do update set name = excluded.name, body = excluded.body, received_at = now()
      where old.received_at < now() - ${DEDUPE}
    returning id)
  select graphile_worker.add_job('route', payload := json_build_object('ids', (select json_agg(id) from stored)), max_attempts := 100)
  where exists (select 1 from stored)`

async function storeEvents(tx: Pool | Tx, events: EventBody[]) {
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()]
  if (distinct.length === 0) return
  const columns = [
    distinct.map(({ id }) => id),
    distinct.map(({ name }) => name),
    distinct.map((event) => JSON.stringify(event)),
  ]
  await tx.query(STORE, columns)
}

/**
 * Writes events with at most one insert in progress: events that arrive during an insert share the next one.
 * Commits that add jobs send a notification, and Postgres serializes those, so many small commits would queue
 * behind each other.
 */
export function eventWriter(pool: Pool) {
  type Waiting = { events: EventBody[]; done: () => void; failed: (error: unknown) => void }
  let waiting: Waiting[] = []
  let writing = false

  async function write() {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await storeEvents(
          pool,
          batch.flatMap(({ events }) => events),
        )
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    writing = false
  }

  return (events: EventBody[]) =>
    new Promise<void>((done, failed) => {
      waiting.push({ events, done, failed })
      if (!writing) void write()
    })
}

/** Stores an event raised by the engine itself, but only if a function listens to its name. */
export async function emit(engine: Engine, tx: Tx, event: EventBody) {
  const listens = [...engine.functions.values()].some((fn) =>
    fn.triggers.some((trigger) => trigger.event === event.name),
  )
  if (listens) await storeEvents(tx, [event])
}
