import { afterEach, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import type { RunningEngine } from '#lib/engine/engine'
import { type App, createClient, endOf, sql, startApp, startTestEngine, until } from '#tests/support/engine'

/** The engine is told what is due later, so that it need not poll for it; it finds what nobody told it by polling. */
const HOUR_MS = 3_600_000
const client = createClient()
const ticks: unknown[] = []
const TOMORROW = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`

const functions = [
  client.createFunction({ id: 'sleeper', triggers: [{ event: 'alarm/sleep' }] }, async ({ event, step }) => {
    await step.sleep('so long', event.data.ms)
    return 'woke'
  }),
  client.createFunction({ id: 'shaky', triggers: [{ event: 'alarm/fail' }] }, ({ attempt }) => {
    if (attempt < 2) throw new Error('not yet')
    return 'done'
  }),
  client.createFunction({ id: 'ticker', triggers: [{ cron: TOMORROW }] }, async ({ step }) => {
    await step.run('tick', () => {
      ticks.push(1)
    })
  }),
]

let app: App
const engines: RunningEngine[] = []
async function start(pollIntervalMs: number) {
  app = await startApp(client, () => functions)
  engines.push(await startTestEngine(app.url, { pollIntervalMs }))
}
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
  await app.close()
})

test('sleeps and retries end at their time in an engine that never looks by itself', async () => {
  await start(HOUR_MS)
  const data = [900, 300, 1_500].map((ms) => ({ name: 'alarm/sleep', data: { ms } }))
  const { ids } = await client.send([...data, { name: 'alarm/fail', data: {} }])
  for (const id of ids) expect((await endOf(id)).map(({ status }) => status)).toEqual(['Completed'])
})

test('a sleep that one engine was told of is over in another', async () => {
  await start(HOUR_MS)
  const [first] = engines
  const { ids } = await client.send({ name: 'alarm/sleep', data: { ms: 3_000 } })
  await until(
    async () => (await sql("select 1 from graphile_worker.jobs where key like 'timer:%'")).length > 0,
    'the sleep to begin',
  )
  engines.push(await startTestEngine(app.url, { pollIntervalMs: HOUR_MS, port: await freePort() }))
  await first?.stop()
  engines.shift()
  expect((await endOf(ids[0] ?? '')).map(({ status }) => status)).toEqual(['Completed'])
})

test('what nobody told of is found by looking', async () => {
  await start(1_000)
  await sql(
    "update graphile_worker._private_jobs set run_at = now() + interval '700 milliseconds' where key like 'cron:app-ticker:%'",
  )
  await until(() => ticks.length > 0, 'the tick')
})
