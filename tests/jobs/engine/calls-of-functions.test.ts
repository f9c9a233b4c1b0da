import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { answerEngine } from '#inngest/door'

type Call = { method?: string; headers?: Record<string, string>; body?: string }

/** The status that a call is answered with, once no more than its head and `body` was sent. */
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
