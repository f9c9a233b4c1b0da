import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { expect } from '@playwright/test'
import { contracts } from '#lib/contracts/all'
import { issueToken } from '#lib/services/workspaces/tokens'
import { aPerson } from '../support/people.ts'
import { test } from '../support/test.ts'

/** The endpoints of the published interface, in their documented form. */
const LISTED = [
  'GET /api-keys',
  'GET /auth/me',
  'POST /agent/chat',
  'POST /social/message',
  'GET /campaigns/',
  'GET /templates/',
  'PATCH /datasets/{dataset_id}',
  'POST /connected-accounts/auth-link',
  'POST /sender-profiles/',
  'POST /referral/apply',
  'GET /datasets/list',
  'POST /upload/excel/preview',
  'POST /campaigns/{campaign_id}/pause',
  'POST /social/posts/',
  'GET /social/posts/',
  'GET /mail/domains/{domain_id}/setup',
  'POST /billing/create-portal-session',
  'GET /agent/conversations',
  'GET /mail/domains/{domain_id}',
  'GET /notifications/preferences',
  'GET /personalize/generations/runs/{run_id}/leads',
].map((line) => line.split(' ') as [string, string])

const base = () => process.env.OPENER_URL ?? ''
const NOBODY = '01900000-0000-7000-8000-000000000000'
const targetOf = (path: string) => `/api/v1${path.replace(/\{\w+\}/g, NOBODY)}`
const bothForms = (path: string) => [path.replace(/\/$/, ''), path.replace(/\/?$/, '/')]

/** The raw response: redirects are not followed, and no headers are added. */
const ask = (method: string, target: string, init: RequestInit = {}) =>
  fetch(new URL(target, base()), { method, redirect: 'manual', ...init })

async function aToken() {
  const { user_id } = await aPerson()
  return { authorization: `Bearer ${await issueToken(user_id, new Date())}` }
}

test('every endpoint answers over HTTP in both forms of its path, with no redirect', async () => {
  const headers = await aToken()
  for (const [method, path] of LISTED)
    for (const form of bothForms(targetOf(path))) {
      const stranger = await ask(method, form)
      expect([form, stranger.status]).toEqual([form, 401])
      expect(stranger.headers.get('www-authenticate')).toBe('Bearer')
      const response = await ask(method, form, { headers })
      await response.body?.cancel()
      expect([form, [200, 404, 422].includes(response.status)], `${response.status}`).toEqual([form, true])
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      expect(response.headers.get('ratelimit-limit')).toMatch(/^\d+$/)
      const wrong = await ask('PUT', form, { headers })
      expect([form, wrong.status, await wrong.json()]).toEqual([form, 405, { detail: 'Method Not Allowed' }])
      expect(wrong.headers.get('allow')?.split(', ')).toContain(method)
    }
})

test('every answer of the API has the headers that the framework gives to what it serves for programs', async () => {
  const policies = /^(x-content|x-frame|referrer|cross-|permissions|content-security)/
  const policyOf = async (method: string, target: string) => {
    const { headers } = await ask(method, target)
    return Object.fromEntries([...headers].filter(([name]) => policies.test(name)))
  }
  const framework = await policyOf('GET', '/metrics')
  expect(Object.keys(framework)).toHaveLength(7)
  for (const [method, target] of [
    ['GET', '/api/v1/health'],
    ['HEAD', '/api/v1/health'],
    ['OPTIONS', '/api/v1/templates/'],
    ['PUT', '/api/v1/templates'],
    ['GET', '/api/v1/openapi.json'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1'],
  ] as const)
    expect([target, await policyOf(method, target)]).toEqual([target, framework])
})

test('a path says what may be done with it, and nothing is sent for HEAD', async () => {
  const options = await ask('OPTIONS', '/api/v1/templates/')
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, GET'])
  const head = await ask('HEAD', '/api/v1/health')
  expect([head.status, await head.text()]).toEqual([200, ''])
  const refused = await ask('POST', '/api/v1/openapi.json', { body: '{}' })
  expect([refused.status, await refused.json()]).toEqual([405, { detail: 'Method Not Allowed' }])
})

test('what the API counts is seen where the framework serves the counts', async () => {
  const refusals = async () => {
    const text = await (await ask('GET', '/metrics')).text()
    const line = /opener_http_requests_total\{operation="search",method="GET",status="401"\} (\d+)/
    return Number(line.exec(text)?.[1] ?? 0)
  }
  const before = await refusals()
  await ask('GET', '/api/v1/search?q=x')
  expect(await refusals()).toBeGreaterThan(before)
})

test('a path that nobody has is 404 in the framework’s words, whoever asks and however', async () => {
  for (const target of [
    '/api/v1/templates/%zz',
    '/api/v1/templates/%ff',
    '/campaigns/%ff',
    '/api/v1/nothing',
    '/api/v1/nothing/',
    '/api/v1/campaigns/x/y/z',
    '/api/v1/',
    '/api/v1',
  ])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await ask(method, target)
      expect([target, method, response.status, await response.json()]).toEqual([
        target,
        method,
        404,
        { detail: 'Not Found' },
      ])
    }
})

test('a body that is too large, whole, in pieces or without end, is 400, and the next request is served', async () => {
  const headers = { ...(await aToken()), 'content-type': 'application/json' }
  const post = (body: BodyInit) =>
    ask('POST', '/api/v1/templates/', { headers, body, duplex: 'half' } as RequestInit)
  /**
   * A body without end is given up at three times the limit, which its last byte exceeds: when the connection is closed, nothing
   * is in flight.
   */
  const pieces = (most: number, end?: 'never') => {
    let count = 0
    const piece = new Uint8Array(64 * 1024).fill(0x20)
    return new ReadableStream({
      pull: (controller) => {
        if (count++ < most) return controller.enqueue(piece)
        if (end !== 'never') return controller.close()
        if (count === most + 1) return controller.enqueue(piece.subarray(0, 1))
        return new Promise(() => undefined)
      },
    })
  }
  for (const body of [JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), pieces(40), pieces(48, 'never')]) {
    const response = await post(body)
    expect([response.status, await response.json()]).toMatchObject([400, { detail: 'body_too_large' }])
    // Over the same connection, where it was kept alive.
    expect((await ask('GET', '/api/v1/templates/', { headers })).status).toBe(200)
  }
})

test('who sends a body that is too large slowly is told so once it has ended, over a connection that stays', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
  const { authorization } = await aToken()
  const { hostname, port, host } = new URL(base())
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  const start = `Host: ${host}\r\nAuthorization: ${authorization}\r\nAccept-Encoding: identity\r\n`
  socket.write(
    `POST /api/v1/templates/ HTTP/1.1\r\n${start}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 1000)}`,
  )
  // Longer than the server waits for the rest of a body that it has already answered.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(said).toBe('')
  socket.write(`${body.slice(1000)}GET /api/v1/health HTTP/1.1\r\n${start}Connection: close\r\n\r\n`)
  await once(socket, 'close')
  expect(said).toMatch(/^HTTP\/1\.1 400 [\s\S]*body_too_large[\s\S]*HTTP\/1\.1 200 /)
})

test('a body that comes byte by byte is waited for, and one that breaks off harms nobody', async () => {
  const headers = { ...(await aToken()), 'content-type': 'application/json' }
  const text = JSON.stringify({ name: 'Slow', content: { subject: 's', body: 'b' } })
  const slow = await new Promise<number>((resolve, reject) => {
    const sent = httpRequest(
      new URL('/api/v1/templates/', base()),
      { method: 'POST', headers: { ...headers, 'content-length': text.length } },
      (response) => resolve(response.resume().statusCode ?? 0),
    )
    sent.once('error', reject)
    const next = (at: number) => {
      if (at === text.length) return sent.end()
      sent.write(text[at], () => setTimeout(next, 5, at + 1))
    }
    next(0)
  })
  expect(slow).toBe(201)
  await new Promise<void>((resolve, reject) => {
    const sent = httpRequest(new URL('/api/v1/templates/', base()), {
      method: 'POST',
      headers: { ...headers, 'content-length': 1_000 },
    })
    sent.once('error', () => resolve())
    sent.once('response', () => reject(new Error('half a body was answered')))
    sent.write('{"name": "half', () => sent.destroy())
  })
  const names = await (await ask('GET', '/api/v1/templates/', { headers })).json()
  expect(names.templates.map(({ name }: { name: string }) => name)).toEqual(['Slow'])
})

/** Sends the lines unchanged, which no HTTP client would do. */
const raw = (lines: string[]) =>
  new Promise<string>((resolve) => {
    const { hostname, port } = new URL(base())
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    let said = ''
    socket.on('data', (data) => {
      said += data
    })
    // A client that is refused while it sends may be disconnected after the answer.
    socket.on('error', () => undefined)
    socket.once('close', () => resolve(said))
  })

test('a path is taken as it was sent, and a host that is none is the fault of whoever asks', async () => {
  const host = `Host: ${new URL(base()).host}`
  for (const path of ['/api/v1/../home', '/api/v1/x/%2e%2e/%2e%2e/%2e%2e/home', '/api/v1//campaigns'])
    expect(await raw([`GET ${path} HTTP/1.1`, host, 'Connection: close'])).toMatch(
      /^HTTP\/1\.1 404[\s\S]*\{"detail":"Not Found"\}/,
    )
  expect(await raw(['GET /api/v1/auth/me HTTP/1.1', 'Host: a b', 'Connection: close'])).toMatch(
    /^HTTP\/1\.1 400[\s\S]*\{"detail":"Bad Request"\}/,
  )
})

test('headers that hold line breaks or are too long are refused, and nothing of them comes back', async () => {
  const { hostname, port } = new URL(base())
  const start = ['GET /api/v1/auth/me HTTP/1.1', `Host: ${hostname}:${port}`, 'Connection: close']
  const injected = await raw([...start, 'X-Request-Id: abcdefgh\r X-Injected: 1'])
  expect(injected).toMatch(/^HTTP\/1\.1 4\d\d/)
  expect(injected).not.toMatch(/x-injected/i)
  const long = await raw([...start, `X-Filler: ${'a'.repeat(20_000)}`])
  expect(long).toMatch(/^HTTP\/1\.1 431/)
  const twice = await raw([...start, 'Content-Length: 5', 'Transfer-Encoding: chunked'])
  expect(twice).toMatch(/^HTTP\/1\.1 4\d\d/)
  const traced = await raw(start.with(0, 'TRACE /api/v1/auth/me HTTP/1.1'))
  expect(traced).toMatch(/^HTTP\/1\.1 405[\s\S]*\{"detail":"Method Not Allowed"\}/)
  const kept = await raw([...start, 'X-Request-Id: a-request-of-mine'])
  expect(kept).toMatch(/^HTTP\/1\.1 401/)
  expect(kept).toMatch(/x-request-id: a-request-of-mine/i)
})

test('a stream of the assistant comes as server-sent events', async () => {
  const headers = { ...(await aToken()), 'content-type': 'application/json' }
  const response = await ask('POST', '/api/v1/agent/chat', { headers, body: '{}' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  const text = await response.text()
  // With compression its events would be buffered.
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(text).toMatch(/^data: \{/)
  expect(text.trimEnd()).toMatch(/data: \[DONE\]$/)
})

test('an answer is compressed for whoever takes it so, and plain for others', async () => {
  const url = '/api/v1/openapi.json'
  const packed = await ask('GET', url, { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('vary')).toMatch(/accept-encoding/i)
  const plain = await ask('GET', url, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.text()).toBe(await packed.text())
})

test('the interface that is served names what the contracts say', async () => {
  const { paths } = await (await ask('GET', '/api/v1/openapi.json')).json()
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
  )
  expect(served.toSorted()).toEqual(contracts.map(({ method, path }) => `${method} ${path}`).toSorted())
  for (const [method, path] of LISTED) expect(served).toContain(`${method} ${path}`)
})
