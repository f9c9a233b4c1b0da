import { afterEach, expect, test } from 'vitest'
import { functions } from '#inngest/functions'
import { freePort } from '#lib/db/free-port'
import { callApp } from '#lib/engine/call'
import { parseFunctions } from '#lib/engine/config'
import type { RunningEngine } from '#lib/engine/engine'
import { startEngine } from '#lib/engine/engine'
import { canonical } from '#lib/engine/protocol'
import { inngest } from '#lib/events/client'
import {
  type App,
  collectLog,
  createClient,
  databaseUrl,
  EVENT_KEY,
  endOf,
  pointSdkAt,
  SIGNING_KEY,
  sql,
  startApp,
  startTestEngine,
  until,
} from '#tests/support/engine'

const client = createClient()
const hello = client.createFunction({ id: 'hello', triggers: [{ event: 'hello' }] }, () => 'hello')

let app: App | undefined
const engines: RunningEngine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
  await app?.close()
})

async function start(...args: Parameters<typeof startTestEngine>) {
  const engine = await startTestEngine(...args)
  engines.push(engine)
  return engine
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${process.env.INNGEST_BASE_URL}${path}`, { method: 'POST', body: JSON.stringify(body), headers })

test('the app refuses unsigned calls, and the engine refuses unsigned callers', async () => {
  app = await startApp(client, () => [hello])
  await start(app.url)
  const call = await fetch(`${app.url}?fnId=app-hello&stepId=step`, { method: 'POST', body: '{}' })
  expect(call.status).toBe(401)
  expect((await post('/e/wrong-key', { name: 'hello' })).status).toBe(401)
  expect((await post('/fn/register', {})).status).toBe(401)
  expect((await post('/v1/checkpoint/run/async', { steps: [] })).status).toBe(401)
  expect(
    (await post('/v1/checkpoint/run/async', { steps: [] }, { authorization: 'Bearer nonsense' })).status,
  ).toBe(401)
  expect((await fetch(`${process.env.INNGEST_BASE_URL}/v1/runs/x`)).status).toBe(401)
  const authorized = { authorization: `Bearer ${SIGNING_KEY}` }
  expect((await post('/fn/register', {}, authorized)).status).toBe(200)
  expect((await post('/v1/checkpoint/run/async', { steps: [], qi_id: '1' }, authorized)).status).toBe(409)
  const [id = ''] = (await client.send({ name: 'hello' })).ids
  expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: 'hello' }])
})

test('an engine with another key gets nothing to run, and no attempt is spent on finding out', async () => {
  app = await startApp(client, () => [hello])
  await start(app.url)
  const { lines, log } = collectLog()
  const stranger = await startEngine({
    databaseUrl: databaseUrl(),
    serveUrl: app.url,
    port: await freePort(),
    signingKey: `signkey-test-${'00'.repeat(32)}`,
    log,
  })
  engines.push(stranger)
  await until(() => lines.some(({ message }) => message === 'sync failed'), 'the refusal')
  expect(JSON.stringify(lines)).toContain('status 401')
})

test('a function that asks for what the engine does not have is refused at sync, by name of both', async () => {
  const config = { id: 'bad', triggers: [{ event: 'bad' }], debounce: { period: '1m' as const } }
  const bad = client.createFunction(config, () => 'never')
  app = await startApp(client, () => [hello, bad])
  const { lines, log } = collectLog()
  engines.push(
    await startEngine({
      databaseUrl: databaseUrl(),
      serveUrl: app.url,
      port: await freePort(),
      signingKey: SIGNING_KEY,
      log,
    }),
  )
  const line = await until(
    () => lines.find(({ level, message }) => level === 'error' && message === 'sync failed'),
    'the refusal',
  )
  expect(line.fields).toEqual({
    reason: 'functions are refused: app-bad: the embedded engine has no debounce',
  })
})

test('the engine has all that the functions of the product ask for', async () => {
  pointSdkAt(await freePort())
  app = await startApp(inngest, () => functions)
  const answer = await callApp({
    method: 'PUT',
    url: new URL(app.url),
    body: canonical({ url: app.url }),
    headers: { 'x-inngest-sync-kind': 'in_band' },
    signingKey: SIGNING_KEY,
    signal: AbortSignal.timeout(10_000),
  })
  const reported = answer.kind === 'answer' ? (answer.body as { functions: unknown }).functions : answer
  expect(parseFunctions(reported).map(({ id }) => id)).toEqual(
    expect.arrayContaining(functions.map((fn) => fn.id('opener'))),
  )
})

test('a new build of the app is noticed, and a function that it dropped is not triggered any more', async () => {
  const world = client.createFunction({ id: 'world', triggers: [{ event: 'hello' }] }, () => 'world')
  let served: (typeof hello | typeof world)[] = [hello]
  app = await startApp(client, () => served)
  await start(app.url)
  const outputs = async () => {
    const [id = ''] = (await client.send({ name: 'hello' })).ids
    return (await endOf(id, served.length)).map(({ output }) => output).sort()
  }
  expect(await outputs()).toEqual(['hello'])
  served = [hello, world]
  await until(
    async () => (await sql("select 1 from engine.functions where id = 'app-world'")).length > 0,
    'the new function',
  )
  expect(await outputs()).toEqual(['hello', 'world'])
  served = [world]
  await until(
    async () => (await sql('select 1 from engine.functions where removed_at is not null')).length > 0,
    'the removal',
  )
  expect(await outputs()).toEqual(['world'])
})

test('an operation that the engine does not know fails the run and says which', async () => {
  const signal = client.createFunction(
    { id: 'signal', triggers: [{ event: 'signal' }] },
    async ({ step }) => {
      await step.waitForSignal('go', { signal: 'go', timeout: '1m', onConflict: 'fail' })
    },
  )
  const caller = client.createFunction({ id: 'caller', triggers: [{ event: 'call' }] }, async ({ step }) => {
    await step.invoke('call', { function: hello, data: {} })
  })
  const waiter = client.createFunction({ id: 'waiter', triggers: [{ event: 'wait' }] }, async ({ step }) => {
    await step.waitForEvent('answer', { event: 'answer', timeout: '1d' })
  })
  app = await startApp(client, () => [hello, signal, caller, waiter])
  await start(app.url)
  const operations = { signal: 'WaitForSignal', call: 'InvokeFunction', wait: 'WaitForEvent' }
  for (const [name, operation] of Object.entries(operations)) {
    const [id = ''] = (await client.send({ name })).ids
    expect(await endOf(id)).toMatchObject([
      { status: 'Failed', output: { message: expect.stringContaining(operation) } },
    ])
  }
})

test('an engine goes on with the state that an earlier version left', async () => {
  app = await startApp(client, () => [hello])
  await (await startTestEngine(app.url)).stop()
  const id = 'event-before'
  await sql(
    `alter table engine.runs add column parent_run text, add column parent_step text, add column singleton_key text`,
  )
  await sql('alter table engine.steps add column event text, add column expr text')
  await sql(
    'create table engine.limits (key text primary key, hits int not null, ends_at timestamptz not null)',
  )
  await sql(
    `insert into engine.runs (id, fn_id, status, event_ids, events, idem, slot_keys, disc)
     values ('run-before', 'app-hello', 'queued', array[$1], $2, 'before', '[]', 'queued')`,
    [id, JSON.stringify([{ id, name: 'hello', data: {}, ts: Date.now() }])],
  )
  await sql(`select graphile_worker.add_job('exec', '{"run": "run-before", "gen": 1}')`)
  await start(app.url)
  expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: 'hello' }])
  expect(await sql("select to_regclass('engine.limits') as limits")).toEqual([{ limits: null }])
})

test('two engines that start on an empty database at once both work, and a run is executed once', async () => {
  await sql('drop schema engine cascade')
  await sql('drop schema graphile_worker cascade')
  let count = 0
  const counted = client.createFunction(
    { id: 'counted', triggers: [{ event: 'counted' }] },
    async ({ step }) => {
      await step.run('count', () => {
        count += 1
      })
    },
  )
  app = await startApp(client, () => [counted])
  await Promise.all([start(app.url), start(app.url)])
  const { ids } = await client.send(Array.from({ length: 20 }, () => ({ name: 'counted' })))
  for (const id of ids) expect(await endOf(id)).toMatchObject([{ status: 'Completed' }])
  expect(count).toBe(20)
})

test('events without a name or that are no JSON are refused, and a resent POST stores its events once', async () => {
  app = await startApp(client, () => [hello])
  await start(app.url)
  expect((await post(`/e/${EVENT_KEY}`, { data: {} })).status).toBe(400)
  expect((await post(`/e/${EVENT_KEY}`, 'no event')).status).toBe(400)
  const seed = { 'x-inngest-event-id-seed': `${Date.now()},${Buffer.alloc(10, 7).toString('base64')}` }
  const resends = await Promise.all(
    [1, 2].map(() => post(`/e/${EVENT_KEY}`, [{ name: 'hello' }, { name: 'hello' }], seed)),
  )
  const [first, second] = (await Promise.all(resends.map((response) => response.json()))) as {
    ids: string[]
  }[]
  expect(first?.ids).toEqual(second?.ids)
  expect(new Set(first?.ids).size).toBe(2)
  expect(await endOf(first?.ids[0] ?? '')).toHaveLength(1)
})

test('a request that fails is logged with its reason, and without the key in its address', async () => {
  app = await startApp(client, () => [hello])
  const { lines, log } = collectLog()
  await start(app.url, { log })
  await sql('alter table engine.events rename to events_away')
  const answer = await post(`/e/${EVENT_KEY}`, { name: 'hello' }).finally(() =>
    sql('alter table engine.events_away rename to events'),
  )
  expect(answer.status).toBe(500)
  const failed = lines.find(({ message }) => message === 'request failed')
  const reason = expect.objectContaining({ message: expect.stringContaining('engine.events') })
  expect(failed?.fields).toEqual({ err: reason, url: '/e/[secret]' })
})
