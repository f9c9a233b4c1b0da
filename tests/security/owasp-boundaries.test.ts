// OWASP API Security Top 10 of 2023: outbound connections, what answers reveal, and whom the product trusts.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CreateTemplate } from '#lib/contracts/messages/templates'
import { CreateMailbox, TestMailbox } from '#lib/contracts/senders/mailboxes'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { env } from '#lib/env'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { postOutbound } from '#lib/providers/outbound-http'
import { devPagesAreOpen } from '#lib/services/instance/network-exposure'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { call } from '#tests/support/call'
import { ROOT, sources } from '#tests/support/code/source-files'
import { aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment; these tests send more requests than a minute allows.
Object.assign(process.env, { ALLOW_SIGN_UP: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

const files = sources()

let owner: Awaited<ReturnType<typeof aUser>>
let key = ''
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  const fields = { name: 'K', scopes: ['read' as const], expires_at: null }
  key = (await createApiKey(owner, fields, new Date())).key
})

const INSIDE = [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '169.254.169.254',
  '10.0.0.1',
  '[fd00::1]',
  '0.0.0.0',
]

describe('API7 server side request forgery', () => {
  test.each(INSIDE)('neither a webhook nor a mailbox leads to %s', async (host) => {
    expect((await call(CreateWebhook, { as: owner, body: { url: `https://${host}/` } })).status).toBe(422)
    const server = { host: host.replace(/^\[|\]$/g, ''), port: 25, security: 'none', username: null }
    for (const body of [
      { smtp: server },
      { smtp: { ...server, host: 'smtp.invalid' }, imap: { ...server, port: 143 } },
    ]) {
      const address = `${crypto.randomUUID()}@example.org`
      const made = await call(CreateMailbox, { as: owner, body: { address, ...body } })
      expect([201, 422]).toContain(made.status)
      if (made.status !== 201) continue
      const tested = await call(TestMailbox, { as: owner, params: made.body })
      expect(JSON.stringify(tested.body)).not.toMatch(/ECONNREFUSED|"ok":true/)
    }
  })

  test('a name that answers otherwise the second time is asked once, and a redirect is not followed', async () => {
    const asked: string[] = []
    const inside = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as AddressInfo
    const post = { url: `http://rebind.test:${port}/hook`, headers: {}, body: '{}', timeout_ms: 5_000 }
    let answers = 0
    // The first lookup gives a public address, the second a private one: code that resolves twice would connect to the private one.
    const lookup = async () => [['203.0.113.1', '127.0.0.1'][answers++] ?? '127.0.0.1']
    const policy = { allow_private_hosts: false }
    expect(await postOutbound(post, { policy, lookup })).toMatchObject({ status: null, reason: 'blocked' })
    expect(await postOutbound(post, { policy, lookup })).toMatchObject({ status: null, reason: 'blocked' })
    expect(asked).toEqual([])
    answers = 0
    const open = { allow_private_hosts: false, allowed_endpoints: [{ host: '127.0.0.1', port }] }
    const hostile = async () => [['127.0.0.1', '10.0.0.1'][answers++] ?? '10.0.0.1']
    expect(await postOutbound(post, { policy: open, lookup: hostile })).toMatchObject({ status: 302 })
    expect([answers, asked]).toEqual([1, ['/hook']])
    inside.close()
  })

  test('whoever opens a connection is known, and where users say where to, the address is checked first', () => {
    const opens =
      /(?<![\w.])fetch\(|import [^;'"]*\b(?:request|connect)\b[^;'"]*from 'node:(?:https?|net|tls)'|(?:import (?!type )[^;'"]*from |import\()'(?:imapflow|nodemailer\/lib\/smtp-connection[\w/.]*)'/
    const callers = files
      .filter(({ file, code }) => /^(app|inngest|lib)\//.test(file) && opens.test(code))
      .map(({ file }) => file)
      .filter((file) => !/^lib\/(client|engine)\//.test(file))
    expect(callers.toSorted()).toEqual([...OWN, ...OPERATORS, ...USERS].toSorted())
  })
})

/** Connects to a process that it started itself. */
const OWN = ['inngest/beside/keeper.ts']
/** Connect to hosts that the operator configured, and to none that a user entered. */
const OPERATORS = [
  'lib/providers/ai/model.ts',
  'lib/providers/kms/unwrap-keys.ts',
  'lib/providers/mail-oauth/driver.ts',
  'lib/providers/mail-oauth/organization.ts',
  'lib/providers/social/unipile/http.ts',
  'lib/providers/storage/blob.ts',
  'lib/providers/storage/s3.ts',
  'lib/services/workspaces/tokens.ts',
]
/** Connect to the addresses that resolveHost approved, and never resolve the name again. */
const USERS = [
  'lib/providers/inbox/imap-connection.ts',
  'lib/providers/mail-config/certificate.ts',
  'lib/providers/mail-probe/dialogue.ts',
  'lib/providers/mail/session.ts',
  'lib/providers/outbound-download.ts',
  'lib/providers/outbound-http.ts',
]

describe('API8 misconfiguration', () => {
  // tests/unit/instance/security.test.ts checks the headers, tests/e2e/instance/security.test.ts that they arrive.
  test('no answer opens itself to other sites, tells a stack, or may be stored', async () => {
    const responses = [
      await call(ReadCurrentUser, { headers: { origin: 'https://evil.test' } }),
      await call(ReadCurrentUser, { as: owner, headers: { origin: 'https://evil.test' } }),
      await call(CreateTemplate, { as: owner, body: '{' }),
    ]
    for (const { headers, error } of responses) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(JSON.stringify(error)).not.toMatch(/\bat \w+ \(|node_modules|\.ts:\d/)
    }
  })

  test('what goes wrong inside is told as nothing but that', async () => {
    const [read] = operations.filter(({ contract }) => contract === ReadCurrentUser)
    if (!read) throw new Error('There is no operation of it.')
    const fault = { ...read, act: () => Promise.reject(new Error('SELECT secret FROM users')) }
    const headers = { authorization: `Bearer ${key}` }
    const request = new Request('http://opener.test/api/v1/auth/me', { headers })
    const response = await routes(fault).GET(request, { params: Promise.resolve({}) })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/SELECT|secret/)
  })

  test('what is for development is not there in production', async () => {
    const pages = files.filter(({ file }) => /^app\/dev\/.*\/page\.tsx$/.test(file))
    expect(pages.length).toBeGreaterThan(0)
    for (const { code } of pages) expect(code).toContain('if (!devPagesAreOpen()) notFound()')
    for (const [NODE_ENV, ALLOW_DEV_PAGES, isOpen] of [
      ['production', false, false],
      ['test', false, false],
      ['production', true, true],
      ['development', false, true],
    ] as const)
      expect(devPagesAreOpen({ ...env(), NODE_ENV, ALLOW_DEV_PAGES })).toBe(isOpen)
    const { default: config } = await import(pathToFileURL(path.join(ROOT, 'next.config.mjs')).href)
    expect(config).toMatchObject({ poweredByHeader: false })
    expect(config.productionBrowserSourceMaps).toBeFalsy()
    expect(config.experimental?.serverActions?.allowedOrigins).toBeUndefined()
  })
})

describe('API10 unsafe consumption', () => {
  const hostile = createServer((request, response) => {
    const url = request.url ?? ''
    if (url.startsWith('/endless')) {
      response.write('x'.repeat(10_000))
      return
    }
    if (url.startsWith('/html')) response.end('<html>')
    else if (url.startsWith('/list')) response.end('[]')
    else if (url.startsWith('/elsewhere')) response.end(JSON.stringify({ jwks_uri: 'not an address' }))
    else if (url.startsWith('/nul')) response.end('a\0b')
    else response.writeHead(500).end()
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  })
  afterAll(() => {
    hostile.closeAllConnections()
    hostile.close()
  })

  test.each(['/html', '/list', '/elsewhere', '/broken'])(
    'an identity provider that answers %s makes nobody anybody',
    async (place) => {
      const before = env().AUTH_ISSUERS
      env().AUTH_ISSUERS = JSON.stringify([{ issuer: `${base}${place}`, audience: 'a' }])
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = { iss: `${base}${place}`, aud: 'a', sub: 'x', exp: Date.now() }
      const token = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
      const { status, error } = await call(ReadCurrentUser, { token })
      env().AUTH_ISSUERS = before
      expect(status).toBe(503)
      expect(JSON.stringify(error)).not.toContain(base)
    },
  )

  test.each(['/endless', '/nul'])(
    'of a receiver that answers %s no more is kept than a KiB of text',
    async (place) => {
      const policy = { allow_private_hosts: true }
      const answer = await postOutbound(
        { url: `${base}${place}`, headers: {}, body: '{}', timeout_ms: 10_000 },
        { policy },
      )
      const said = 'response' in answer ? answer.response : ''
      expect(said.length).toBeLessThanOrEqual(1_024)
      expect(said).not.toContain('\0')
    },
  )
})
