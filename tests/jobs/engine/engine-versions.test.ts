import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import {
  type App,
  createClient,
  EVENT_KEY,
  endOf,
  pointSdkAt,
  spawnEngine,
  sql,
  startApp,
  until,
} from '#tests/support/engine'

// Two versions of the app, each with its engine, on one database: as during an upgrade of an instance.
const client = createClient()
const fn = (id: string, event: string) => client.createFunction({ id, triggers: [{ event }] }, () => id)
const yearly = client.createFunction({ id: 'yearly', triggers: [{ cron: '0 0 1 1 *' }] }, () => 'tick')
const kept = fn('kept', 'kept')
let older: App
let newer: App
let living: ChildProcess[] = []
const ports = { older: 0, newer: 0 }

beforeAll(async () => {
  older = await startApp(client, () => [kept, fn('dropped', 'dropped')])
  newer = await startApp(client, () => [kept, fn('added', 'added'), yearly])
  pointSdkAt(1)
})
afterEach(async () => {
  for (const child of living) await end(child, 'SIGKILL')
  living = []
})
afterAll(async () => {
  await older.close()
  await newer.close()
})

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  return (await exit)[0]
}

async function launch(which: 'older' | 'newer') {
  ports[which] = await freePort()
  const engine = await spawnEngine((which === 'older' ? older : newer).url, ports[which])
  living.push(engine)
  return engine
}

async function sendTo(which: 'older' | 'newer', name: string): Promise<string> {
  pointSdkAt(ports[which])
  const body = JSON.stringify({ name, data: {} })
  const sent = await fetch(`http://127.0.0.1:${ports[which]}/e/${EVENT_KEY}`, { method: 'POST', body })
  return ((await sent.json()) as { ids: string[] }).ids[0] ?? ''
}

const removed = async () =>
  (await sql<{ id: string }>('select id from engine.functions where removed_at is not null')).map(
    ({ id }) => id,
  )

test('an event that only the other version listens to waits for it, whoever takes and routes it', async () => {
  await launch('older')
  const other = await launch('newer')
  await until(async () => (await sql('select 1 from engine.engines')).length === 2, 'both engines')
  expect(await removed()).toEqual([])
  // Stopped, it cannot route the event now; it can only work on it later.
  other.kill('SIGSTOP')
  const id = await sendTo('older', 'added')
  const routed = () => sql("select 1 from engine.runs where fn_id = 'app-added'")
  await until(async () => (await routed()).length > 0, 'the older engine to begin the run')
  other.kill('SIGCONT')
  expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: 'added' }])
  expect(await endOf(await sendTo('newer', 'dropped'))).toMatchObject([{ output: 'dropped' }])
})

test('a tick of a cron that only the newer version has is left to it by the older one', async () => {
  await launch('older')
  const other = await launch('newer')
  await until(async () => (await sql('select 1 from engine.engines')).length === 2, 'both engines')
  other.kill('SIGSTOP')
  const early =
    "update graphile_worker._private_jobs set run_at = now(), attempts = 0 where key like 'cron:%yearly%'"
  await sql(early)
  const left = () =>
    sql(
      "select 1 from graphile_worker._private_jobs where key like 'cron:%yearly%' and run_at > now() and run_at < now() + interval '1 hour'",
    )
  await until(async () => (await left()).length > 0, 'the older engine to leave the tick')
  other.kill('SIGCONT')
  const done = () => sql("select 1 from engine.runs where fn_id = 'app-yearly' and status = 'completed'")
  await until(async () => (await done()).length > 0, 'the tick')
})

test('what the older version alone had is removed once its engine has gone', async () => {
  const first = await launch('older')
  await launch('newer')
  await end(first, 'SIGTERM')
  await until(async () => (await removed()).includes('app-dropped'), 'the removal')
})

test('an engine that was silent is taken over though it holds its lock, and ends when it is heard of again', async () => {
  const silent = await launch('older')
  await until(async () => (await sql('select 1 from engine.engines')).length === 1, 'the engine')
  silent.kill('SIGSTOP')
  await sql("update engine.engines set seen_at = now() - interval '1 minute'")
  await launch('newer')
  await until(
    async () =>
      (await sql("select 1 from engine.engines where seen_at > now() - interval '10 seconds'")).length === 1,
    'the other engine alone',
  )
  const exit = once(silent, 'exit')
  silent.kill('SIGCONT')
  expect((await exit)[0]).toBe(1)
})
