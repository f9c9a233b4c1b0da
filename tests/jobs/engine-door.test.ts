import { referenceFunction } from 'inngest'
import { afterEach, expect, test } from 'vitest'
import type { RunningEngine } from '#lib/engine/engine'
import { startEngine } from '#lib/engine/engine'
import {
  type App,
  collectLog,
  createClient,
  databaseUrl,
  EVENT_KEY,
  endOf,
  freePort,
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

test.each([
  ['timeouts', { timeouts: { finish: '1h' } }],
  ['priority', { priority: { run: '100' } }],
  ['jitter', { triggers: [{ cron: '* * * * *', jitter: '30s' }] }],
  ['scope', { concurrency: { limit: 1, scope: 'account' as const, key: '"x"' } }],
  ['needs five fields', { triggers: [{ cron: '* * * *' }] }],
  ['unexpected', { idempotency: 'size(event.data.list)' }],
])('a config that the engine cannot honour is refused at sync, by name: %s', async (reason, options) => {
  const config = { id: 'bad', triggers: [{ event: 'bad' }], ...options } as {
    id: string
    triggers: { event: string }[]
  }
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
  expect(JSON.stringify(line.fields)).toContain('app-bad')
  expect(JSON.stringify(line.fields)).toContain(reason)
})

test('a new build of the app is noticed, and a function that it dropped is not triggered any more', async () => {
  const world = client.createFunction({ id: 'world', triggers: [{ event: 'hello' }] }, () => 'world')
  let functions: (typeof hello | typeof world)[] = [hello]
  app = await startApp(client, () => functions)
  await start(app.url)
  const outputs = async () => {
    const [id = ''] = (await client.send({ name: 'hello' })).ids
    return (await endOf(id, functions.length)).map(({ output }) => output).sort()
  }
  expect(await outputs()).toEqual(['hello'])
  functions = [hello, world]
  await until(
    async () => (await sql("select 1 from engine.functions where id = 'app-world'")).length > 0,
    'the new function',
  )
  expect(await outputs()).toEqual(['hello', 'world'])
  functions = [world]
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
  const lost = client.createFunction({ id: 'lost', triggers: [{ event: 'lost' }] }, async ({ step }) => {
    await step.invoke('call', { function: referenceFunction({ functionId: 'nowhere' }) })
  })
  app = await startApp(client, () => [signal, lost])
  await start(app.url)
  const { ids } = await client.send([{ name: 'signal' }, { name: 'lost' }])
  expect(await endOf(ids[0] ?? '')).toMatchObject([
    { status: 'Failed', output: { message: expect.stringContaining('WaitForSignal') } },
  ])
  expect(await endOf(ids[1] ?? '')).toMatchObject([
    { status: 'Failed', output: { message: expect.stringContaining('app-nowhere') } },
  ])
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
