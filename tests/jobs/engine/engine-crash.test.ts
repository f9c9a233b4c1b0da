import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import {
  type App,
  createClient,
  endOf,
  pointSdkAt,
  runsOf,
  spawnEngine,
  sql,
  startApp,
  startTestEngine,
  until,
} from '#tests/support/engine'

// One app survives the whole test; engines are processes of their own and are killed with SIGKILL.
const client = createClient()
type Call = { run: string; step: string; at: number; attempt: number }
const calls: Call[] = []
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const callsOf = (run: string, step?: string) =>
  calls.filter((call) => call.run === run && (step === undefined || call.step === step))

/** Slow steps that have started and end only when they are released. */
const held: (() => void)[] = []
const letGo = () => {
  for (const open of held.splice(0)) open()
}

// Hours away, whenever the test runs.
const HOUR = new Date().getUTCHours() < 10 ? 16 : 4

const functions = [
  client.createFunction(
    { id: 'long', triggers: [{ event: 'long' }], retries: 10 },
    async ({ event, step, attempt }) => {
      const doStep = (name: string, ms: number) =>
        step.run(name, async () => {
          calls.push({ run: event.data.run, step: name, at: Date.now(), attempt })
          await pause(ms)
          return name
        })
      for (let i = 0; i < 4; i++) await doStep(`single ${i}`, 150)
      await Promise.all([0, 1, 2].map((i) => doStep(`parallel ${i}`, 150)))
      await step.sleep('nap', '1s')
      for (let i = 4; i < 6; i++) await doStep(`single ${i}`, 150)
      return 'done'
    },
  ),
  client.createFunction(
    {
      id: 'slow',
      triggers: [{ event: 'slow' }],
      retries: 1,
      concurrency: { limit: 1, key: 'event.data.key' },
    },
    async ({ event, step, attempt }) => {
      await step.run(
        'quick',
        () => void calls.push({ run: event.data.run, step: 'quick', at: Date.now(), attempt }),
      )
      await step.run('slow', async () => {
        calls.push({ run: event.data.run, step: 'slow', at: Date.now(), attempt })
        await new Promise<void>((open) => held.push(open))
      })
      await step.run(
        'last',
        () => void calls.push({ run: event.data.run, step: 'last', at: Date.now(), attempt }),
      )
    },
  ),
  client.createFunction(
    { id: 'patient', triggers: [{ event: 'patient' }], retries: 0 },
    ({ attempt }) => attempt,
  ),
  client.createFunction(
    { id: 'sweep', triggers: [{ cron: `0 ${HOUR} * * *` }], retries: 0 },
    async ({ event }) => {
      calls.push({ run: 'sweep', step: event.name ?? '', at: Date.now(), attempt: 0 })
    },
  ),
]

let app: App
let port: number
const living = new Set<ChildProcess>()

async function launch(at = port): Promise<ChildProcess> {
  const child = await spawnEngine(app.url, at)
  living.add(child)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  living.delete(child)
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = await exit
  return code as number | null
}

beforeAll(async () => {
  port = await freePort()
  pointSdkAt(port)
  app = await startApp(client, () => functions)
})
afterEach(async () => {
  letGo()
  for (const child of living) await end(child, 'SIGKILL')
})
afterAll(() => app.close())

const send = async (name: string, data: object) => (await client.send({ name, data })).ids[0] ?? ''
const engines = () => sql('select no from engine.engines')
const stored = async () =>
  new Set(
    (await sql<{ key: string }>("select run_id || name as key from engine.steps where state = 'done'")).map(
      ({ key }) => key,
    ),
  )

test('runs survive an engine that is killed again and again, and no stored step is repeated', async () => {
  let engine = await launch()
  const names = ['a', 'b', 'c', 'd']
  const ids = new Map(
    await Promise.all(names.map(async (run) => [run, await send('long', { run })] as const)),
  )
  const repeated: string[] = []
  for (let kill = 0; kill < 3; kill++) {
    await pause(700)
    await end(engine, 'SIGKILL')
    // Steps running in the app may still end; what is stored by now must never run again.
    const before = await stored()
    const length = calls.length
    engine = await launch()
    await pause(600)
    for (const call of calls.slice(length)) {
      const [run] = await runsOf(ids.get(call.run) ?? '')
      if (before.has(`${run?.run_id}${call.step}`)) repeated.push(`${call.run} ${call.step}`)
    }
  }
  for (const id of ids.values())
    expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: 'done' }])
  expect(repeated).toEqual([])
  for (const run of names) expect(new Set(callsOf(run).map(({ step }) => step)).size).toBe(9)
}, 300_000)

test('a step cut off in the middle runs again as the next attempt, and the old call does not go on beside it', async () => {
  const engine = await launch()
  const id = await send('slow', { run: 'cut', key: 'cut' })
  await until(() => callsOf('cut', 'slow').length === 1, 'the slow step to begin')
  await end(engine, 'SIGKILL')
  await launch()
  await until(() => callsOf('cut', 'slow').length === 2, 'the second attempt')
  // The checkpoint of the first call comes late and is refused, so its "last" step never runs.
  held.shift()?.()
  await pause(1_000)
  expect(callsOf('cut', 'last')).toEqual([])
  letGo()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect([
    callsOf('cut', 'quick').length,
    callsOf('cut', 'slow').length,
    callsOf('cut', 'last').length,
  ]).toEqual([1, 2, 1])
  expect(callsOf('cut', 'slow').map(({ attempt }) => attempt)).toEqual([0, 1])
})

test('a second engine takes over the calls and the slots of one that died', async () => {
  const engine = await launch()
  const id = await send('slow', { run: 'first', key: 'shared' })
  await until(() => callsOf('first', 'slow').length === 1, 'the slow step to begin')
  const otherPort = await freePort()
  const other = await launch(otherPort)
  await until(async () => (await engines()).length === 2, 'none but these two')
  const next = await send('slow', { run: 'second', key: 'shared' })
  await until(
    async () => (await sql('select 1 from engine.waiters')).length === 1,
    'the second run to queue up',
  )
  await end(engine, 'SIGKILL')
  await until(() => callsOf('first', 'slow').length === 2, 'the take-over')
  pointSdkAt(otherPort)
  letGo()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  await until(() => callsOf('second', 'slow').length === 1, 'the second run to get the slot')
  letGo()
  expect(await endOf(next)).toMatchObject([{ status: 'Completed' }])
  await until(async () => (await engines()).length === 1, 'none but this one')
  expect(await end(other, 'SIGTERM')).toBe(0)
  pointSdkAt(port)
})

test('SIGTERM lets a step end, stores it, and leaves the rest to the next engine', async () => {
  const engine = await launch()
  const id = await send('slow', { run: 'term', key: 'term' })
  await until(() => callsOf('term', 'slow').length === 1, 'the slow step to begin')
  await until(async () => (await engines()).length === 1, 'none but this one')
  const exit = end(engine, 'SIGTERM')
  await pause(500)
  letGo()
  expect(await exit).toBe(0)
  expect(await engines()).toEqual([])
  await launch()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect(callsOf('term').map(({ step, attempt }) => [step, attempt])).toEqual([
    ['quick', 0],
    ['slow', 0],
    ['last', 0],
  ])
})

test('a stop that does not wait for a long step makes the call again without spending an attempt', async () => {
  const engine = await startTestEngine(app.url, { graceMs: 200 })
  const id = await send('slow', { run: 'grace', key: 'grace' })
  await until(() => callsOf('grace', 'slow').length === 1, 'the slow step to begin')
  await engine.stop()
  expect(await sql("select 1 from engine.runs where disc = 'running'")).toEqual([])
  const next = await startTestEngine(app.url)
  await until(() => callsOf('grace', 'slow').length === 2, 'the call to be made again')
  letGo()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect(callsOf('grace', 'slow').map(({ attempt }) => attempt)).toEqual([0, 0])
  await next.stop()
  pointSdkAt(port)
})

test('a step whose app died in mid-call is asked again once the app is back, however long other failures wait', async () => {
  const engine = await startTestEngine(app.url, { retryDelaysMs: [3_600_000] })
  const id = await send('slow', { run: 'app', key: 'app' })
  await until(() => callsOf('app', 'slow').length === 1, 'the slow step to begin')
  await app.close()
  app = await startApp(client, () => functions, app.port)
  await until(() => callsOf('app', 'slow').length === 2, 'the second attempt')
  letGo()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect(callsOf('app', 'slow').map(({ attempt }) => attempt)).toEqual([0, 1])
  await engine.stop()
  pointSdkAt(port)
})

test('an engine whose database session is cut ends itself, and the next one finishes its runs', async () => {
  const engine = await launch()
  const id = await send('slow', { run: 'session', key: 'session' })
  await until(() => callsOf('session', 'slow').length === 1, 'the slow step to begin')
  const exit = once(engine, 'exit')
  living.delete(engine)
  await sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'engine%' and datname = current_database()",
  )
  expect((await exit)[0]).toBe(1)
  await launch()
  await until(() => callsOf('session', 'slow').length === 2, 'the second attempt')
  letGo()
  expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect([callsOf('session', 'quick').length, callsOf('session', 'last').length]).toEqual([1, 1])
})

test('a tick that fell due while no engine ran fires as itself, and the next one is not passed over', async () => {
  await (await startTestEngine(app.url)).stop()
  const missed = new Date(Date.now() - 24 * 3_600_000)
  missed.setUTCHours(HOUR, 0, 0, 0)
  await sql(
    `update graphile_worker._private_jobs set run_at = to_timestamp(${missed.getTime()} / 1000.0),
       payload = jsonb_set(payload::jsonb, '{at}', '${missed.getTime()}')::json where key like 'cron:%'`,
  )
  const engine = await startTestEngine(app.url)
  await until(() => callsOf('sweep').length === 1, 'the tick')
  const runs = await sql<{ ts: number }>(
    "select events->0->>'ts' as ts from engine.runs where fn_id = 'app-sweep'",
  )
  expect(runs.map(({ ts }) => Number(ts))).toEqual([missed.getTime()])
  const [next] = await sql<{ run_at: Date; at: string }>(
    "select run_at, payload->>'at' as at from graphile_worker._private_jobs where key like 'cron:%'",
  )
  const due = new Date()
  due.setUTCHours(HOUR, 0, 0, 0)
  if (due.getTime() <= Date.now()) due.setUTCDate(due.getUTCDate() + 1)
  expect([next?.run_at, Number(next?.at)]).toEqual([due, due.getTime()])
  await engine.stop()
})

test('an app that cannot be reached burns no attempt, and cron ticks do not pile up meanwhile', async () => {
  const engine = await startTestEngine(app.url)
  await app.close()
  const sweeps = callsOf('sweep').length
  const id = await send('patient', {})
  await until(async () => (await runsOf(id)).length === 1, 'the run to be made')
  for (let tick = 0; tick < 2; tick++) {
    const [before] = await sql<{ id: string }>(
      "select id from graphile_worker._private_jobs where key like 'cron:%'",
    )
    await sql("update graphile_worker._private_jobs set run_at = now() where key like 'cron:%'")
    await until(async () => {
      const [now] = await sql<{ id: string }>(
        "select id from graphile_worker._private_jobs where key like 'cron:%'",
      )
      return now && now.id !== before?.id
    }, 'the tick')
  }
  await pause(1_500)
  expect(await runsOf(id)).toMatchObject([{ status: expect.stringMatching(/Queued|Running/) }])
  app = await startApp(client, () => functions, app.port)
  expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: 0 }])
  await until(() => callsOf('sweep').length > sweeps, 'the sweep')
  await pause(500)
  expect(callsOf('sweep')).toHaveLength(sweeps + 1)
  await engine.stop()
})
