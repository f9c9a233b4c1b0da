import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningEngine } from '#lib/engine/engine'
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

const client = createClient()
type Mark = { name: string; phase: 'start' | 'end' }
const marks: Mark[] = []
const seen: Record<string, unknown[]> = {}
const note = (name: string, value: unknown) => {
  seen[name] = [...(seen[name] ?? []), value]
  return value
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Takes `ms` of work and remembers its begin and end. */
async function work(name: string, ms: number) {
  marks.push({ name, phase: 'start' })
  if (mostAtOnce('limited') === 3) threeAtOnce.resolve()
  await threeAtOnce.promise
  await pause(ms)
  marks.push({ name, phase: 'end' })
}
/** However slowly runs begin, the first three meet. */
const threeAtOnce = Promise.withResolvers<void>()

/** The most pieces of work under one name that were under way at once. */
function mostAtOnce(name: string): number {
  let now = 0
  let most = 0
  for (const mark of marks.filter((one) => one.name === name)) {
    now += mark.phase === 'start' ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

// Hours away, whenever the test runs: it comes only when it is told to.
const HOUR = new Date().getUTCHours() < 10 ? 16 : 4
const CRON = `TZ=Europe/Paris 0 ${HOUR} * * *`

const functions = [
  client.createFunction(
    {
      id: 'limited',
      triggers: [{ event: 'limited' }],
      concurrency: [{ limit: 3 }, { limit: 1, key: 'event.data.user' }],
    },
    async ({ event, step }) => {
      await step.run('work', async () => {
        await Promise.all([work('limited', 150), work(`limited ${event.data.user}`, 150)])
      })
    },
  ),
  client.createFunction(
    { id: 'sleepy', triggers: [{ event: 'sleepy' }], concurrency: 1 },
    async ({ event, step }) => {
      await step.run('begin', () => note('sleepy', event.data.n))
      await step.sleep('long', '1d')
    },
  ),
  client.createFunction(
    {
      id: 'cancellable',
      triggers: [{ event: 'job/start' }],
      cancelOn: [{ event: 'job/stop', match: 'data.job' }],
    },
    async ({ event, step }) => {
      await step.sleep('nap', event.data.nap)
      await step.run('after', () => note('cancellable', event.data.job))
    },
  ),
  client.createFunction({ id: 'sender', triggers: [{ event: 'send' }] }, async ({ step }) => {
    const { ids } = await step.sendEvent('tell', [{ name: 'told/one' }, { name: 'told/two', data: { n: 2 } }])
    return ids.length
  }),
  client.createFunction(
    { id: 'told', triggers: [{ event: 'told/one' }, { event: 'told/two' }] },
    async ({ event }) => note('told', event.name),
  ),
  client.createFunction({ id: 'clockwork', triggers: [{ cron: CRON }] }, async ({ event, step }) => {
    await step.run('tick', () => note('clockwork', event.data))
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

const send = async (name: string, data: object = {}, id?: string) =>
  (await client.send({ name, data, id })).ids[0] ?? ''
/** Once every event that was sent has started what it starts. */
const routed = () =>
  until(
    async () =>
      (await sql("select 1 from graphile_worker.jobs where task_identifier = 'route'")).length === 0,
    'the events to be routed',
  )
/** Once what was sent is over, as far as it is of this function. */
async function over(fn: string) {
  await routed()
  const open = () => sql('select 1 from engine.runs where fn_id = $1 and ended_at is null', [`app-${fn}`])
  await until(async () => (await open()).length === 0, `the runs of ${fn} to end`)
}
test('concurrency holds for the function and for each key, and nobody is left waiting', async () => {
  const ids = await Promise.all(
    ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'].map((user) => send('limited', { user })),
  )
  const runs = await Promise.all(ids.map((id) => endOf(id)))
  expect(runs.every(([run]) => run?.status === 'Completed')).toBe(true)
  expect(mostAtOnce('limited')).toBe(3)
  expect(mostAtOnce('limited a')).toBe(1)
  expect(await sql('select * from engine.slots')).toEqual([])
})

test('a sleeping run holds no place', async () => {
  await Promise.all([1, 2, 3].map((n) => send('sleepy', { n })))
  await until(() => seen.sleepy?.length === 3, 'all three to sleep')
})

test('cancelOn ends the run that matches, and only that one', async () => {
  const stopped = await send('job/start', { job: 'x', nap: '1d' })
  const kept = await send('job/start', { job: 'y', nap: '1s' })
  await until(async () => (await runsOf(stopped))[0]?.status === 'Running', 'the run to begin')
  await send('job/stop', { job: 'x' })
  expect(await endOf(stopped)).toMatchObject([{ status: 'Cancelled' }])
  expect(await endOf(kept)).toMatchObject([{ status: 'Completed' }])
  expect(seen.cancellable).toEqual(['y'])
})

test('an event id is one event, however often and in whatever POST it comes', async () => {
  await Promise.all([send('told/one', {}, 'event-1'), send('told/one', {}, 'event-1')])
  await client.send([
    { name: 'told/one', id: 'event-1' },
    { name: 'told/one', id: 'event-1' },
  ])
  expect(await endOf('event-1')).toHaveLength(1)
  await over('told')
  expect(seen.told).toEqual(['told/one'])
})

test('sendEvent reaches whoever listens to the events', async () => {
  expect(await endOf(await send('send'))).toMatchObject([{ output: 2 }])
  await until(() => seen.told?.includes('told/two'), 'the second event')
  await over('told')
  expect([...(seen.told ?? [])].sort()).toEqual(['told/one', 'told/one', 'told/two'])
})

test('an event of the future starts its run then', async () => {
  const at = Date.now() + 1_500
  const [id = ''] = (await client.send({ name: 'told/one', ts: at })).ids
  await endOf(id)
  expect(Date.now()).toBeGreaterThanOrEqual(at)
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
