import { once } from 'node:events'
import { type ClientRequest, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { answerEngine } from '#inngest/door'

afterEach(() => {
  delete process.env.INNGEST_SIGNING_KEY
})

type Call = { method?: string; headers?: Record<string, string>; body?: string }

/** The status of the answer to a call, of which only the head and `body` have been sent. */
async function statusOf({ method = 'POST', headers = {}, body = '' }: Call): Promise<number | undefined> {
  const server = createServer(answerEngine).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const call = request({ port, host: '127.0.0.1', path: '/api/inngest', method, headers })
  call.on('error', () => undefined)
  call.write(body)
  const [answer] = await once(call, 'response')
  call.destroy()
  server.closeAllConnections()
  server.close()
  return answer.statusCode
}

const length = (bytes: number) => ({ 'content-length': String(bytes) })

test.each<[string, Call, number]>([
  ['cannot be read', { headers: length(3), body: '{no' }, 400],
  ['says itself that it is far too long', { headers: length(2 ** 30), body: '{}' }, 413],
  ['does not say how long it is', { headers: { 'transfer-encoding': 'chunked' }, body: '{}' }, 411],
  [
    'registers functions, and does not say how long it is',
    { method: 'PUT', headers: { 'transfer-encoding': 'chunked' }, body: '{}' },
    411,
  ],
])('a call that %s is refused', async (_, call, status) => {
  expect(await statusOf(call)).toBe(status)
})

test('where calls are signed, one without a signature is refused before anything of it is read', async () => {
  process.env.INNGEST_SIGNING_KEY = 'signkey-test-00'
  expect(await statusOf({ headers: length(2 ** 20) })).toBe(401)
  const signed = { 'x-inngest-signature': 't=0&s=none', ...length(3) }
  expect(await statusOf({ headers: signed, body: '{no' })).toBe(400)
})

test('of large calls eight are read at once, of small ones any number', async () => {
  const server = createServer(answerEngine).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const begin = (bytes: number, body: string) => {
    const options = { port, host: '127.0.0.1', path: '/api/inngest', method: 'POST', headers: length(bytes) }
    const call = request(options).on('error', () => undefined)
    call.write(body)
    return call
  }
  const status = async (call: ClientRequest) => (await once(call, 'response'))[0].statusCode
  const large = 2 ** 21
  const heard = once(server, 'request')
  const waiting = [begin(large, '{')]
  await heard
  for (let more = 0; more < 7; more += 1) {
    const next = once(server, 'request')
    waiting.push(begin(large, '{'))
    await next
  }
  expect(await status(begin(large, '{'))).toBe(503)
  expect(await status(begin(3, '{no'))).toBe(400)
  waiting[0]?.end('n'.repeat(large - 1))
  expect(await status(waiting[0] as ClientRequest)).toBe(400)
  const next = begin(large, `{${'n'.repeat(large - 1)}`)
  expect(await status(next)).toBe(400)
  for (const call of [...waiting, next]) call.destroy()
  server.closeAllConnections()
  server.close()
})
