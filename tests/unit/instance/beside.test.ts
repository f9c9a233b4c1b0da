import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepSideProcess, LOOK_MS, type SideProcess } from '#inngest/beside/keeper'

const MINUTE_MS = 60_000

const servers: Server[] = []
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

type There = SideProcess & { over(): void; ended: boolean }

/** A process with a side process that takes its calls; `there` answers the calls that reach the side process. */
async function aProcess(there: RequestListener = (_, response) => void response.end('there')) {
  const self = {
    busy: 0,
    busyThere: 0,
    isListening: true,
    isRefused: false,
    now: 0,
    begun: [] as There[],
    url: '',
  }
  const port = await listen(there)
  const keeper = keepSideProcess({
    start: (over) => {
      if (self.isRefused) throw new Error('spawn ENOMEM')
      const one: There = {
        port: () => (self.isListening ? port : null),
        busy: () => self.busyThere,
        end: () => {
          one.ended = true
        },
        over,
        ended: false,
      }
      self.begun.push(one)
      return one
    },
    busy: () => self.busy,
    answerHere: async (_, response) => void response.end('here'),
    now: () => self.now,
  })
  self.url = `http://127.0.0.1:${await listen((request, response) => void keeper.answer(request, response))}/api/inngest`
  const call = async (init: RequestInit = { method: 'POST', body: '{}' }) =>
    (await fetch(`${self.url}?fnId=a`, init)).text()
  /** Calls arrive, and time passes. */
  const looks = async (times: number) => {
    for (let n = 0; n < times; n++) {
      await call({ method: 'GET' })
      self.now += LOOK_MS
      vi.advanceTimersByTime(LOOK_MS)
    }
  }
  return Object.assign(self, { keeper, call, looks })
}

test('little work is done here, and nobody looks while nothing goes on', async () => {
  const one = await aProcess()
  one.busy = 0.2
  await one.looks(20)
  expect(await one.call()).toBe('here')
  expect(one.begun).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2 * LOOK_MS)
  expect(vi.getTimerCount()).toBe(0)
})

test('one busy moment starts nothing', async () => {
  const one = await aProcess()
  for (let n = 0; n < 5; n++) {
    one.busy = 0.9
    await one.looks(1)
    one.busy = 0
    await one.looks(1)
  }
  expect(one.begun).toHaveLength(0)
})

test('much work is done beside, from when it listens there, and as it came', async () => {
  const heard: unknown[] = []
  const one = await aProcess(async (request, response) => {
    const { method, url, headers } = request
    heard.push({ method, url, signature: headers['x-inngest-signature'], body: await text(request) })
    response.writeHead(206, { 'x-inngest-sdk': 'js' }).end('there')
  })
  Object.assign(one, { busy: 0.5, isListening: false })
  await one.looks(3)
  expect(one.begun).toHaveLength(1)
  expect(await one.call()).toBe('here')

  one.isListening = true
  const answer = await fetch(`${one.url}?fnId=a`, {
    method: 'POST',
    body: '{"a":1}',
    headers: { 'x-inngest-signature': 's' },
  })
  expect([answer.status, answer.headers.get('x-inngest-sdk'), await answer.text()]).toEqual([
    206,
    'js',
    'there',
  ])
  expect(heard).toEqual([{ method: 'POST', url: '/api/inngest?fnId=a', signature: 's', body: '{"a":1}' }])
  // The process itself answers which functions there are.
  expect([await one.call({ method: 'GET' }), await one.call({ method: 'PUT', body: '{}' })]).toEqual([
    'here',
    'here',
  ])
})

test('it stays for ten minutes after it was last needed, as long as a call is under way there, and no longer', async () => {
  let letGo = () => {}
  const one = await aProcess((_, response) => {
    letGo = () => void response.end('there')
  })
  one.busy = 0.5
  await one.looks(2)
  Object.assign(one, { busy: 0, busyThere: 0.5 })
  await one.looks(200)
  one.busyThere = 0.1
  const long = one.call()
  await one.looks((10 * MINUTE_MS) / LOOK_MS)
  expect(one.begun.map(({ ended }) => ended)).toEqual([false])
  await one.looks(2)
  expect(await one.call()).toBe('here')
  expect(one.begun.map(({ ended }) => ended)).toEqual([false])
  letGo()
  expect(await long).toBe('there')
  await one.looks(1)
  expect(one.begun.map(({ ended }) => ended)).toEqual([true])
})

test('a call is cut off where it dies in the middle; the next ones are answered here, and another one begins after a while', async () => {
  const one = await aProcess((request) => void request.socket.destroy())
  one.busy = 0.5
  await one.looks(2)
  await expect(one.call()).rejects.toThrow()
  one.begun[0]?.over()
  expect(await one.call()).toBe('here')
  await one.looks((10 * MINUTE_MS) / LOOK_MS - 1)
  expect(one.begun).toHaveLength(1)
  await one.looks(1)
  expect(one.begun).toHaveLength(2)
  one.keeper.stop()
  expect(await one.call()).toBe('here')
  expect(one.begun.map(({ ended }) => ended)).toEqual([false, true])
})

test('a call that finds it stopping has begun nowhere: the engine is told to ask again', async () => {
  const one = await aProcess()
  one.busy = 0.5
  await one.looks(2)
  expect(await one.call()).toBe('there')
  servers[0]?.close()
  const answer = await fetch(one.url, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(503)
})

test('a machine that has no room for another process ends nothing here, and is asked again after a while', async () => {
  const one = await aProcess()
  Object.assign(one, { busy: 0.5, isRefused: true })
  await one.looks(3)
  expect(await one.call()).toBe('here')
  one.isRefused = false
  await one.looks((10 * MINUTE_MS) / LOOK_MS - 2)
  expect(one.begun).toHaveLength(0)
  await one.looks(1)
  expect(one.begun).toHaveLength(1)
  expect(await one.call()).toBe('there')
})

test('whoever gives a call up is not answered there either', async () => {
  let isGone = false
  const begun = Promise.withResolvers<void>()
  const one = await aProcess((_, response) => {
    response.once('close', () => {
      isGone = true
    })
    begun.resolve()
  })
  one.busy = 0.5
  await one.looks(2)
  const giving = new AbortController()
  const given = one.call({ method: 'POST', body: '{}', signal: giving.signal })
  await begun.promise
  giving.abort()
  await expect(given).rejects.toThrow()
  await vi.waitFor(() => expect(isGone).toBe(true))
})
