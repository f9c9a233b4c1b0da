import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { httpEnrichment } from '#lib/providers/enrichment/http'

type Reply = { status: number; body: string } | 'cut'
let reply: Reply = { status: 200, body: '{}' }
const asked: { authorization: string | undefined; body: string }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    asked.push({ authorization: request.headers.authorization, body })
    if (reply === 'cut') return response.destroy()
    response.writeHead(reply.status).end(reply.body)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lookup`
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  asked.length = 0
})

const provider = (allow_private_hosts = true) =>
  httpEnrichment({
    name: 'glue',
    url,
    token: 'secret',
    fields: ['title', 'city'],
    price_micros: 50_000,
    policy: { allow_private_hosts },
  })
const lookUp = (answer: unknown, status = 200) => {
  reply = { status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) }
  return provider().lookup({ email: 'ada@acme.com' })
}

test('asks with the lead and the token, and takes only the agreed fields at no more than the agreed price', async () => {
  const fields = { title: 'CTO', phone: '+49', city: ' ' }
  const answer = await lookUp({ found: true, fields, cost: 0.02, source: 'https://glue.example/1' })
  expect(answer).toEqual({
    outcome: 'found',
    fields: { title: 'CTO' },
    cost_micros: 20_000,
    source: 'https://glue.example/1',
  })
  expect(asked).toEqual([{ authorization: 'Bearer secret', body: '{"lead":{"email":"ada@acme.com"}}' }])
  expect(await lookUp({ found: true, fields: { title: 'CTO' }, cost: 9 })).toMatchObject({
    cost_micros: 50_000,
  })
})

test.each([
  ['it knows nothing', { found: false }, 200, { outcome: 'nothing', cost_micros: 0 }],
  [
    'it knows nothing and asks money',
    { found: false, cost: 0.01 },
    200,
    { outcome: 'nothing', cost_micros: 10_000 },
  ],
  ['not found', 'no', 404, { outcome: 'nothing', cost_micros: 0 }],
  ['a refusal', 'no', 403, { outcome: 'failed', is_paid: false }],
  ['a fault of its own', 'no', 500, { outcome: 'failed', is_paid: true }],
  ['no JSON', '<html>', 200, { outcome: 'failed', is_paid: true }],
  ['another form', { person: {} }, 200, { outcome: 'failed', is_paid: true }],
  [
    'NUL in a value',
    { found: true, fields: { title: 'a\0b' } },
    200,
    { outcome: 'nothing', cost_micros: 50_000 },
  ],
])('%s', async (_, body, status, answer) => {
  expect(await lookUp(body, status)).toMatchObject(answer)
})

test('a connection that breaks after the question may have been paid; one to a private network is not made', async () => {
  reply = 'cut'
  expect(await provider().lookup({})).toMatchObject({ outcome: 'failed', is_paid: true })
  asked.length = 0
  expect(await provider(false).lookup({})).toMatchObject({
    outcome: 'failed',
    is_paid: false,
    error: expect.stringContaining('private network'),
  })
  expect(asked).toEqual([])
})
