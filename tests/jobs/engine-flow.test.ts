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

const child = client.createFunction(
  { id: 'child', triggers: [{ event: 'never/sent' }], retries: 0 },
  async ({ event, step }) => {
    await step.sleep('work', event.data.takes ?? '1s')
    if (event.data.n < 0) throw new Error('negative')
    return event.data.n * 2
  },
)
const skipped = client.createFunction(
  { id: 'skip', triggers: [{ event: 'single' }], singleton: { key: 'event.data.user', mode: 'skip' } },
  async ({ step }) => step.waitForEvent('busy', { event: 'single/free', timeout: '1d' }),
)

// Hours away, whenever the test runs: it comes only when it is told to.
const HOUR = new Date().getUTCHours() < 10 ? 16 : 4
const CRON = `TZ=Europe/Paris 0 ${HOUR} * * *`

const functions = [
  child,
  skipped,
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
  client.createFunction(
    { id: 'obituary', triggers: [{ event: 'inngest/function.cancelled' }] },
    async ({ event, step }) => {
      await step.run('note', () => note('obituary', event.data.run_id))
    },
  ),
  client.createFunction(
    { id: 'once', triggers: [{ event: 'once' }], idempotency: 'event.data.order + "-" + event.data.line' },
    async ({ event }) => note('once', event.data.order),
  ),
  client.createFunction({ id: 'waiter', triggers: [{ event: 'wait' }] }, async ({ step }) => {
    const answer = await step.waitForEvent('answer', { event: 'answer', timeout: '1d', match: 'data.id' })
    const none = await step.waitForEvent('none', { event: 'never', timeout: '1s' })
    return { text: answer?.data.text, none }
  }),
  client.createFunction(
    { id: 'parent', triggers: [{ event: 'parent' }], retries: 0 },
    async ({ event, step }) => {
      const doubled = await step.invoke('double', { function: child, data: { n: event.data.n } })
      const late = await step
        .invoke('late', { function: child, data: { n: 1, takes: '1d' }, timeout: '1s' })
        .catch((error: Error) => error.name)
      return { doubled, late }
    },
  ),
  client.createFunction({ id: 'sender', triggers: [{ event: 'send' }] }, async ({ step }) => {
    const { ids } = await step.sendEvent('tell', [{ name: 'told/one' }, { name: 'told/two', data: { n: 2 } }])
    return ids.length
  }),
  client.createFunction({ id: 'told', triggers: [{ event: 'told/*' }] }, async ({ event }) =>
    note('told', event.name),
  ),
  client.createFunction(
    { id: 'picky', triggers: [{ event: 'picky', if: 'event.data.n > 2 && event.data.kind != "dull"' }] },
    async ({ event }) => event.data.n,
  ),
  client.createFunction(
    { id: 'debounced', triggers: [{ event: 'typed' }], debounce: { key: 'event.data.user', period: '1d' } },
    async ({ event }) => note('debounced', event.data.text),
  ),
  client.createFunction(
    { id: 'batched', triggers: [{ event: 'batch' }], batchEvents: { maxSize: 3, timeout: '86400s' } },
    async ({ events }) => note('batched', events.length),
  ),
  client.createFunction(
    {
      id: 'rated',
      triggers: [{ event: 'rated' }],
      rateLimit: { limit: 2, period: '1m', key: 'event.data.user' },
    },
    async ({ event }) => note('rated', event.data.user),
  ),
  client.createFunction(
    { id: 'latest', triggers: [{ event: 'latest' }], singleton: { mode: 'cancel' } },
    async ({ event, step }) => step.sleep('busy', event.data.takes),
  ),
  client.createFunction(
    { id: 'throttled', triggers: [{ event: 'throttled' }], throttle: { limit: 2, period: '2s' } },
    async () => note('throttled', Date.now()),
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
/** As if the time had come for which a job waits. */
const comesDue = (keys: string) =>
  sql('update graphile_worker._private_jobs set run_at = now() where key like $1', [keys])

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
  const [run] = await runsOf(stopped)
  await until(() => seen.obituary?.includes(run?.run_id), 'the cancellation to be announced')
})

test('an idempotency key lets one run through in a day', async () => {
  await Promise.all([1, 2, 3].map(() => send('once', { order: 7, line: 'a' })))
  await send('once', { order: 7, line: 'b' })
  await over('once')
  expect(seen.once).toEqual([7, 7])
})

test('an event id is one event, however often and in whatever POST it comes', async () => {
  const data = { user: 'same' }
  await Promise.all([send('rated', data, 'event-1'), send('rated', data, 'event-1')])
  await client.send([
    { name: 'rated', data, id: 'event-1' },
    { name: 'rated', data, id: 'event-1' },
  ])
  expect(await endOf('event-1')).toHaveLength(1)
  await over('rated')
  expect(seen.rated?.filter((user) => user === 'same')).toHaveLength(1)
})

test('waitForEvent takes the event that matches, or null when none came in time', async () => {
  const id = await send('wait', { id: 1 })
  await until(
    async () => (await sql("select 1 from engine.steps where event = 'answer'")).length > 0,
    'the wait',
  )
  await send('answer', { id: 2, text: 'for another' })
  await send('answer', { id: 1, text: 'for us' })
  expect(await endOf(id)).toMatchObject([{ status: 'Completed', output: { text: 'for us', none: null } }])
})

test('invoke answers what the other function returned, threw, or that it took too long', async () => {
  expect(await endOf(await send('parent', { n: 21 }))).toMatchObject([
    { status: 'Completed', output: { doubled: 42, late: 'InngestInvokeTimeoutError' } },
  ])
  expect(await endOf(await send('parent', { n: -1 }))).toMatchObject([
    { status: 'Failed', output: { message: 'negative' } },
  ])
})

test('sendEvent reaches functions that listen to a wildcard', async () => {
  expect(await endOf(await send('send'))).toMatchObject([{ output: 2 }])
  await until(() => seen.told?.length === 2, 'both events')
  expect([...(seen.told ?? [])].sort()).toEqual(['told/one', 'told/two'])
})

test('a trigger expression decides which events start a run', async () => {
  const ids = [
    await send('picky', { n: 1 }),
    await send('picky', { n: 3, kind: 'dull' }),
    await send('picky', { n: 3 }),
  ]
  await endOf(ids[2] ?? '')
  await routed()
  expect(await Promise.all(ids.map(async (id) => (await runsOf(id)).length))).toEqual([0, 0, 1])
})

test('debounce starts one run with the latest event', async () => {
  for (const text of ['h', 'he', 'hey']) await send('typed', { user: 1, text })
  await routed()
  expect(seen.debounced).toBeUndefined()
  await comesDue('flush:app-debounced:%')
  await until(() => seen.debounced, 'the debounced run')
  await over('debounced')
  expect(seen.debounced).toEqual(['hey'])
})

test('a batch starts when it is full, or when its first event is old enough', async () => {
  for (let n = 0; n < 3; n++) await send('batch', { n })
  await until(() => seen.batched?.length === 1, 'the full batch')
  await send('batch', { n: 3 })
  await routed()
  expect(seen.batched).toEqual([3])
  await comesDue('flush:app-batched:%')
  await until(() => seen.batched?.length === 2, 'the one that is old enough')
  expect(seen.batched).toEqual([3, 1])
})

test('rateLimit drops what exceeds it, per key', async () => {
  for (const user of ['u', 'u', 'u', 'v']) await send('rated', { user })
  await over('rated')
  expect(seen.rated).toContain('v')
  expect(seen.rated?.filter((user) => user === 'u')).toHaveLength(2)
})

test('throttle spreads starts and drops none', async () => {
  const started = Date.now()
  for (let n = 0; n < 3; n++) await send('throttled', { n })
  await until(() => seen.throttled?.length === 3, 'three runs')
  expect(Date.now() - started).toBeGreaterThan(1_800)
})

test('a singleton in skip mode begins no second run while one is busy', async () => {
  const first = await send('single', { user: 1 })
  await until(async () => (await runsOf(first)).length === 1, 'the first run')
  const [second, other] = [await send('single', { user: 1 }), await send('single', { user: 2 })]
  await routed()
  await until(
    async () => (await sql("select 1 from engine.steps where event = 'single/free'")).length === 2,
    'both to be busy',
  )
  await send('single/free')
  await endOf(first)
  await endOf(other)
  expect(await runsOf(second)).toEqual([])
})

test('a singleton in cancel mode makes room for the newer run', async () => {
  const first = await send('latest', { takes: '1d' })
  await until(async () => (await runsOf(first)).length === 1, 'the first run')
  const second = await send('latest', { takes: '1s' })
  expect(await endOf(first)).toMatchObject([{ status: 'Cancelled' }])
  expect(await endOf(second)).toMatchObject([{ status: 'Completed' }])
})

test('an event of the future starts its run then', async () => {
  const at = Date.now() + 1_500
  const [id = ''] = (await client.send({ name: 'told/later', ts: at })).ids
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
  const [old = '', young = ''] = (await client.send([{ name: 'told/old' }, { name: 'told/young' }])).ids
  for (const id of [old, young]) await endOf(id)
  await sql("update engine.runs set ended_at = now() - interval '8 days' where event_ids @> array[$1]", [old])
  await sql("update engine.events set received_at = now() - interval '8 days' where id = $1", [old])
  await sql("update graphile_worker._private_jobs set run_at = now() where key = 'purge'")
  await until(async () => (await runsOf(old)).length === 0, 'the purge')
  expect(await sql('select id from engine.events where id = $1', [old])).toEqual([])
  expect(await runsOf(young)).toHaveLength(1)
})
