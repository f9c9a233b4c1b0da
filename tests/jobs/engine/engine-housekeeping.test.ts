import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/db/client'
import type { RunningEngine } from '#lib/engine/engine'
import { pullBackJobs } from '#lib/engine/timers'
import {
  type App,
  createClient,
  endOf,
  runsOf,
  sql,
  startApp,
  startTestEngine,
  until,
} from '#tests/support/engine'

/** Behaviour that only the embedded engine can be asked for: when it ticks, and what it keeps. */
const client = createClient()
const seen: { clockwork?: unknown[] } = {}

// Hours away, whenever the test runs: it ticks only when the test tells it to.
const HOUR = new Date().getUTCHours() < 10 ? 16 : 4
const CRON = `TZ=Europe/Paris 0 ${HOUR} * * *`

const functions = [
  client.createFunction(
    { id: 'told', triggers: [{ event: 'told/one' }, { event: 'told/two' }] },
    async ({ event }) => event.name,
  ),
  client.createFunction({ id: 'clockwork', triggers: [{ cron: CRON }] }, async ({ event, step }) => {
    await step.run('tick', () => {
      seen.clockwork = [...(seen.clockwork ?? []), event.data]
    })
  }),
]

let app: App
let engine: RunningEngine
beforeAll(async () => {
  app = await startApp(client, () => functions)
  engine = await startTestEngine(app.url)
})
afterAll(async () => {
  await engine.stop()
  await app.close()
})

test('a cron tick fires at its local time, runs once and queues the next one', async () => {
  const KEY = `cron:app-clockwork:${CRON}`
  const [job] = await sql<{ run_at: Date }>('select run_at from graphile_worker.jobs where key = $1', [KEY])
  expect(job?.run_at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Paris' })).toBe(
    `${HOUR}`.padStart(2, '0').concat(':00:00'),
  )
  await sql('update graphile_worker._private_jobs set run_at = now() where key = $1', [KEY])
  await until(() => seen.clockwork, 'the tick')
  expect(seen.clockwork).toEqual([{ cron: CRON }])
  const [next] = await sql<{ run_at: Date }>('select run_at from graphile_worker.jobs where key = $1', [KEY])
  expect(next?.run_at.getTime()).toBeGreaterThan(Date.now())
})

const HOURS = 3_600_000

test('what was queued while the clock was days ahead is due as long from now as it was then', async () => {
  const KEY = `cron:app-clockwork:${CRON}`
  const jobs = () =>
    sql<{ key: string; run_at: Date; updated_at: Date }>(
      'select key, run_at, updated_at from graphile_worker._private_jobs where key is not null order by key',
    )
  const before = await jobs()
  expect(before.length).toBeGreaterThan(1)
  const AHEAD = "interval '3 days'"
  await sql(
    `update graphile_worker._private_jobs set run_at = run_at + ${AHEAD}, updated_at = now() + ${AHEAD} where key = $1`,
    [KEY],
  )
  // Twice, since it runs repeatedly.
  await pullBackJobs(pool())
  await pullBackJobs(pool())
  for (const [i, job] of (await jobs()).entries()) {
    expect(job.updated_at.getTime()).toBeLessThan(Date.now() + 60_000)
    const moved = job.run_at.getTime() - (before[i]?.run_at.getTime() ?? 0)
    expect(Math.abs(moved)).toBeLessThan(HOURS)
  }
})

test('a tick of days ahead does not keep the next one until then', async () => {
  const KEY = `cron:app-clockwork:${CRON}`
  seen.clockwork = undefined
  const days = Date.now() + 72 * HOURS
  await sql(
    `update graphile_worker._private_jobs set run_at = now(), payload = jsonb_set(payload::jsonb, '{at}', $2)::json where key = $1`,
    [KEY, days],
  )
  await until(() => seen.clockwork, 'the tick')
  const [next] = await sql<{ run_at: Date }>('select run_at from graphile_worker.jobs where key = $1', [KEY])
  expect(next?.run_at.getTime()).toBeLessThan(Date.now() + 26 * HOURS)
})

test('what ended a week ago is purged, what is open or younger is kept', async () => {
  const [old = '', young = ''] = (await client.send([{ name: 'told/one' }, { name: 'told/two' }])).ids
  for (const id of [old, young]) await endOf(id)
  await sql("update engine.runs set ended_at = now() - interval '8 days' where event_ids @> array[$1]", [old])
  await sql("update engine.events set received_at = now() - interval '8 days' where id = $1", [old])
  await sql("update graphile_worker._private_jobs set run_at = now() where key = 'purge'")
  await until(async () => (await runsOf(old)).length === 0, 'the purge')
  expect(await sql('select id from engine.events where id = $1', [old])).toEqual([])
  expect(await runsOf(young)).toHaveLength(1)
})
