import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createClient, endOf, startApp, until } from '#tests/support/engine'
import { type FunctionServer, startServer } from '#tests/support/servers/inngest'

const client = createClient('flow')
type Mark = { name: string; phase: 'start' | 'end' }
const marks: Mark[] = []
const seen: Record<string, unknown[]> = {}
const note = (name: string, value: unknown) => {
  seen[name] = [...(seen[name] ?? []), value]
  return value
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Takes `ms` of work and records its start and end. */
async function work(name: string, ms: number) {
  marks.push({ name, phase: 'start' })
  if (mostAtOnce('limited') === 3) threeAtOnce.resolve()
  await threeAtOnce.promise
  await pause(ms)
  marks.push({ name, phase: 'end' })
}
/** The first three runs wait for each other, however slowly they start. */
const threeAtOnce = Promise.withResolvers<void>()

/** The maximum number of concurrent pieces of work with this name. */
function mostAtOnce(name: string): number {
  let now = 0
  let most = 0
  for (const mark of marks.filter((one) => one.name === name)) {
    now += mark.phase === 'start' ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

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
      await step.run('begin', () => note('napping', event.data.job))
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
    async ({ event }) => note('told', JSON.stringify(event.data)),
  ),
  client.createFunction({ id: 'until', triggers: [{ event: 'until' }] }, async ({ event, step }) => {
    await step.sleepUntil('then', event.data.at)
    await step.run('after', () => note('until', Date.now()))
  }),
  client.createFunction(
    { id: 'bell', triggers: [{ event: 'bell' }], checkpointing: false },
    ({ event }) => void note('bell', { n: event.data.n, at: Date.now() }),
  ),
]

let app: App
let server: FunctionServer
beforeAll(async () => {
  app = await startApp(client, () => functions)
  server = await startServer(app)
})
afterAll(async () => {
  await server.stop()
  await app.close()
})

const told = (data: object) => (seen.told ?? []).filter((one) => one === JSON.stringify(data)).length

const send = async (name: string, data: object = {}, id?: string) =>
  (await client.send({ name, data, id })).ids[0] ?? ''

test('concurrency holds for the function and for each key, and nobody is left waiting', async () => {
  const ids = await Promise.all(
    ['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'].map((user) => send('limited', { user })),
  )
  const runs = await Promise.all(ids.map((id) => endOf(id)))
  expect(runs.every(([run]) => run?.status === 'Completed')).toBe(true)
  expect(mostAtOnce('limited')).toBe(3)
  expect(mostAtOnce('limited a')).toBe(1)
})

test('a sleeping run holds no place', async () => {
  await Promise.all([1, 2, 3].map((n) => send('sleepy', { n })))
  await until(() => seen.sleepy?.length === 3, 'all three to sleep')
})

test('cancelOn ends the run that matches, and only that one', async () => {
  const stopped = await send('job/start', { job: 'x', nap: '1d' })
  const kept = await send('job/start', { job: 'y', nap: '1s' })
  await until(() => seen.napping?.includes('x'), 'the run to begin')
  await send('job/stop', { job: 'x' })
  expect(await endOf(stopped)).toMatchObject([{ status: 'Cancelled' }])
  expect(await endOf(kept)).toMatchObject([{ status: 'Completed' }])
  expect(seen.cancellable).toEqual(['y'])
})

test('an event id is one event, however often and in whatever POST it comes', async () => {
  const id = `event-${crypto.randomUUID()}`
  const sent = await Promise.all([send('told/one', { id }, id), send('told/one', { id }, id)])
  const again = await client.send([
    { name: 'told/one', data: { id }, id },
    { name: 'told/one', data: { id }, id },
  ])
  const last = await send('told/two', { last: id })
  await endOf(last)
  // Any one of them may be the one that ran; by the end of a later event all were routed.
  await until(() => told({ id }) === 1, 'the event')
  expect(new Set([...sent, ...again.ids]).size).toBeGreaterThan(0)
  expect(told({ id })).toBe(1)
})

test('sendEvent reaches whoever listens to the events', async () => {
  expect(await endOf(await send('send'))).toMatchObject([{ output: 2 }])
  await until(() => told({}) === 1 && told({ n: 2 }) === 1, 'both events')
})

test('a run sleeps until the instant that it names', async () => {
  const at = Date.now() + 2_000
  await endOf(await send('until', { at: new Date(at).toISOString() }))
  expect(seen.until).toEqual([expect.any(Number)])
  expect(Number(seen.until?.[0])).toBeGreaterThanOrEqual(at)
})

test('a bell for the future rings then, once however often it was sent, and one for the past rings at once', async () => {
  const ts = Date.now() + 3_000
  const id = `wake:${crypto.randomUUID()}`
  const ring = (n: number, event: { ts: number; id: string }) =>
    client.send({ name: 'bell', data: { n }, ...event })
  await Promise.all([ring(1, { ts, id }), ring(1, { ts, id })])
  await ring(2, { ts: ts - 60_000, id: `${id}:past` })
  await until(() => seen.bell?.length === 2, 'both bells')
  const rung = seen.bell as { n: number; at: number }[]
  expect(rung.map(({ n }) => n)).toEqual([2, 1])
  expect(rung[1]?.at).toBeGreaterThanOrEqual(ts)
})

test('an event of the future starts its run then', async () => {
  const at = Date.now() + 1_500
  const [id = ''] = (await client.send({ name: 'told/two', data: { at }, ts: at })).ids
  await endOf(id)
  expect(Date.now()).toBeGreaterThanOrEqual(at)
})
