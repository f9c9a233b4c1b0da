// The OWASP API Security Top 10 of 2023, each risk as what must never be. Where a file of its own walks a risk, it is named.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Contract, Scope } from '#lib/contracts/contract'
import { SCOPES } from '#lib/contracts/contract'
import { CreateTemplate, ReadTemplate } from '#lib/contracts/messages/templates'
import { CreateMailbox, TestMailbox } from '#lib/contracts/senders/mailboxes'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { postOutbound } from '#lib/providers/outbound-http'
import { createApiKey, revokeApiKey } from '#lib/services/workspaces/api-keys'
import { signInByPassword, signUp } from '#lib/services/workspaces/sign-in'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { ROOT, sources } from '#tests/support/code/source-files'
import { at, documented, type Json } from '#tests/support/files/document'
import { aTemplate, aUser } from '#tests/support/scenes/factories'

// Before anything reads the environment; the walks ask more than a minute allows.
Object.assign(process.env, { ALLOW_SIGN_UP: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

const contracts = operations.map(({ contract }) => contract)
const guarded = contracts.filter(({ scope }) => scope !== null)
const files = sources()
const paramsOf = ({ path: template }: Contract) =>
  Object.fromEntries([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, crypto.randomUUID()]))

let owner: Awaited<ReturnType<typeof aUser>>
/** One key for each scope, without any other. */
const keys = new Map<Scope, string>()
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  for (const scope of SCOPES)
    keys.set(
      scope,
      (await createApiKey(owner.user_id, { name: scope, scopes: [scope], expires_at: null }, new Date())).key,
    )
})

/** Every property that a schema of the document names, at whatever depth, with the path to it. */
function propertiesOf(
  schema: Json,
  trail: string,
  seen: readonly string[] = [],
): { name: string; trail: string }[] {
  if (typeof schema.$ref === 'string')
    return seen.includes(schema.$ref)
      ? []
      : propertiesOf(at(schema.$ref) as Json, trail, [...seen, schema.$ref])
  const inner = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const parts = [schema.items, schema.anyOf, schema.oneOf, schema.allOf]
    .flat()
    .filter((part) => part !== undefined)
  return [
    ...inner.flatMap(([name, part]) => [
      { name, trail: `${trail}.${name}` },
      ...propertiesOf(part, `${trail}.${name}`, seen),
    ]),
    ...parts.flatMap((part) => propertiesOf(part as Json, trail, seen)),
  ]
}
const schemasIn = (content: unknown): Json[] =>
  Object.values((content ?? {}) as Record<string, { schema?: Json }>).flatMap(({ schema }) =>
    schema ? [schema] : [],
  )

describe('API1 object level authorization', () => {
  // tests/api/http/isolation.test.ts walks every operation with another's rows.
  test('whoever asks is always known, so that every query can be for their rows', async () => {
    const open = contracts.filter(({ scope }) => scope === null).map(({ id }) => id)
    expect(open).toEqual(['readHealth'])
    const walk = files.find(({ file }) => file === 'tests/api/http/isolation.test.ts')?.code
    expect(walk).toContain('operations.map(({ contract }) => contract)')
  })
})

describe('API2 authentication', () => {
  // tests/api/workspaces/auth.test.ts has the forged and the mistaken tokens, alg none and HS256 among them.
  test.each(guarded)('$id is 401 without a credential, and with one that is no good', async (contract) => {
    const params = paramsOf(contract)
    for (const token of [undefined, 'opn_live_x', 'a.b.c'])
      expect((await call(contract, { ...(token && { token }), params })).status).toBe(401)
  })

  test('a credential elsewhere than in its header is none', async () => {
    const token = await issueToken(owner.user_id, new Date())
    const places: Record<string, string>[] = [
      { 'x-api-key': token },
      { cookie: `opener.session=${token}; token=${token}` },
      { authorization: token },
    ]
    for (const headers of places) expect((await call(ReadCurrentUser, { headers })).status).toBe(401)
    const query = { token, access_token: token, api_key: keys.get('read') ?? '' }
    expect((await call(ReadCurrentUser, { query })).status).toBe(401)
  })

  test('a key that is revoked or has ended opens nothing from then on', async () => {
    const now = new Date()
    const fields = { name: 'K', scopes: ['read' as const], expires_at: null }
    const made = await createApiKey(owner.user_id, fields, now)
    expect((await call(ReadCurrentUser, { token: made.key })).status).toBe(200)
    await revokeApiKey(owner.user_id, made.id, now)
    expect((await call(ReadCurrentUser, { token: made.key })).status).toBe(401)
    const ended = await createApiKey(owner.user_id, fields, now)
    await db.apiKey.update({ where: { id: ended.id }, data: { expires_at: now } })
    expect((await call(ReadCurrentUser, { token: ended.key })).status).toBe(401)
  })

  test('guessing passwords is slowed down, and so is making accounts', async () => {
    const now = new Date()
    const guess = () =>
      signInByPassword({ email: 'victim@example.com', password: 'wrong guess' }, '192.0.2.1', now)
    for (let n = 0; n < 10; n++) expect(await guess()).toBeNull()
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' })
    const account = (n: number) =>
      signUp({ email: `flood-${n}@example.com`, name: 'F', password: 'a long password' }, '192.0.2.1', now)
    for (let n = 0; n < 5; n++) await account(n)
    await expect(account(5)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

/** Whose a row is, what it may cost, and what only the product counts: never a caller's to say. */
const SERVER_SIDE =
  /^(user_id|owner_id|tier|role|is_admin|extra_api_keys|password_hash|key_digest|created_at|updated_at|revoked_at|launched_at|completed_at|next_slot_at|lease_until|lease_owner|attempts|\w+_count|billing_customer_id|subscription_status|verified_at)$/
/** Told once, when it is made: nowhere else. */
const SECRET =
  /^(password|password_hash|smtp_password|imap_password|private_key|private_jwk|key_digest|secret|previous_secret|key|token|lease_owner|encryption_key)$/
const TOLD = [
  // Of a column: the name that templates use.
  'readDataset.columns.key',
  'createApiKey.key',
  'createWebhook.secret',
  'rotateWebhookSecret.secret',
  'prepareErasure.token',
]

/** Asked about, not set: who said a message, of which only the caller's own is read; a forecast's size; what is paid for. */
const ASKED = ['agentChat.messages.role', 'forecastDraft.leads_count', 'createCheckoutSession.tier']

describe('API3 object property level authorization', () => {
  test('no request names what only the product may set', () => {
    const named = documented.flatMap(({ operation }) =>
      schemasIn(operation.requestBody?.content).flatMap((schema) =>
        propertiesOf(schema, operation.operationId),
      ),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ name }) => SERVER_SIDE.test(name)).map(({ trail }) => trail)).toEqual(ASKED)
  })

  test.each(contracts.filter(({ body, body_type }) => body && body_type !== 'multipart'))(
    '$id drops or refuses what its body does not name',
    ({ id, body }) => {
      const extra = { user_id: 'x', tier: 'scale', created_at: '2000-01-01T00:00:00Z', is_admin: true }
      const parsed = body?.safeParse(extra)
      const kept = Object.keys((parsed?.data ?? {}) as object).filter((name) => name in extra)
      expect(kept.filter((name) => !ASKED.includes(`${id}.${name}`))).toEqual([])
    },
  )

  test('a row is its maker’s, whatever the body says', async () => {
    const victim = await aUser()
    const body = {
      name: 'T',
      content: { subject: 'S', body: 'B' },
      user_id: victim.user_id,
      template_id: victim.user_id,
    }
    const made = (await call(CreateTemplate, { as: owner, body })).body
    const row = await db.template.findUniqueOrThrow({ where: { template_id: made.template_id } })
    expect(row).toMatchObject({ user_id: owner.user_id })
    expect(made.template_id).not.toBe(victim.user_id)
  })

  test('no answer documents a secret, save those that are told once', () => {
    const told = documented.flatMap(({ operation }) =>
      Object.values(operation.responses).flatMap(({ content }) =>
        schemasIn(content).flatMap((schema) => propertiesOf(schema, operation.operationId)),
      ),
    )
    const secrets = [...new Set(told.filter(({ name }) => SECRET.test(name)).map(({ trail }) => trail))]
    expect(secrets.filter((trail) => !TOLD.includes(trail))).toEqual([])
  })
})

describe('API4 resource consumption', () => {
  test.each(guarded)('$id says what is left of its rate', async (contract) => {
    const { headers } = await call(contract, { as: owner, params: paramsOf(contract) })
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(Number(headers.get(name))).toBeGreaterThanOrEqual(0)
  })

  test.each(contracts.filter(({ body }) => body))(
    '$id refuses a body beyond its limit unread',
    async (contract) => {
      const limit = contract.max_bytes ?? 1024 * 1024
      expect(limit).toBeLessThanOrEqual(32 * 1024 * 1024)
      const headers = { 'content-length': String(limit + 1), 'content-type': 'application/json' }
      const { status } = await call(contract, { as: owner, params: paramsOf(contract), headers, body: '{}' })
      expect([400, 403]).toContain(status)
    },
  )

  test('no page is larger than 100 rows', () => {
    const sizes = documented.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter(({ name }) => /^(page_size|per_page)$/.test(name)),
    )
    expect(sizes.length).toBeGreaterThan(10)
    for (const { schema } of sizes) expect(Number(schema.maximum)).toBeLessThanOrEqual(100)
  })
})

describe('API5 function level authorization', () => {
  test.each(guarded)('$id is 403 for a key with every other scope', async (contract) => {
    for (const scope of SCOPES.filter((one) => one !== contract.scope)) {
      const { status } = await call(contract, { token: keys.get(scope) ?? '', params: paramsOf(contract) })
      expect([scope, status]).toEqual([scope, 403])
    }
  })

  test('a key mints no key, whatever it may', async () => {
    const { status } = await call(CreateApiKey, { token: keys.get('admin') ?? '', body: { name: 'K' } })
    expect(status).toBe(403)
  })

  test('?_method overrides nothing either, and is refused as a parameter that nobody knows', async () => {
    const { template_id } = await aTemplate(owner)
    const asked = { token: keys.get('read') ?? '', params: { template_id }, query: { _method: 'DELETE' } }
    expect((await call(ReadTemplate, asked)).status).toBe(422)
    expect(await db.template.count({ where: { template_id } })).toBe(1)
  })

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override'])(
    '%s overrides nothing',
    async (header) => {
      const deletes = operations.filter(({ contract }) => contract.id === 'deleteTemplate')
      const reads = operations.filter(({ contract }) => contract.id === 'readTemplate')
      const made = await aTemplate(owner)
      const request = new Request(`http://opener.test/api/v1/templates/${made.template_id}`, {
        headers: { authorization: `Bearer ${keys.get('read')}`, [header]: 'DELETE' },
      })
      const params = Promise.resolve({ template_id: made.template_id })
      expect((await routes(...reads, ...deletes).GET(request, { params })).status).toBe(200)
      expect(await db.template.count({ where: { template_id: made.template_id } })).toBe(1)
    },
  )
})

/** It goes to the owner's own address. */
const TO_ONESELF = ['sendTestNotification']

describe('API6 sensitive business flows', () => {
  test('whatever makes mail leave asks for the scope that says so', () => {
    const sends = contracts.filter(
      ({ id }) => /^(launch|resume|reply|publish|send)/.test(id) && !TO_ONESELF.includes(id),
    )
    expect(sends.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['launchCampaign', 'resumeCampaign', 'sendTest']),
    )
    for (const { scope } of sends) expect(scope).toBe('send')
  })
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
    // First an address that may be reached, then one that may not: whoever resolved twice would end up inside.
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
      /(?<![\w.])fetch\(|import [^;'"]*\b(?:request|connect)\b[^;'"]*from 'node:(?:https?|net|tls)'|from '(?:imapflow|nodemailer\/lib\/smtp-connection[\w/.]*)'/
    const callers = files
      .filter(({ file, code }) => /^(app|inngest|lib)\//.test(file) && opens.test(code))
      .map(({ file }) => file)
      .filter((file) => !/^lib\/(client|engine)\//.test(file))
    expect(callers.toSorted()).toEqual([...OPERATORS, ...USERS].toSorted())
  })
})

/** They reach what the operator named, and nothing that a user did. */
const OPERATORS = [
  'lib/providers/ai/model.ts',
  'lib/providers/social/unipile/http.ts',
  'lib/providers/storage/blob.ts',
  'lib/services/workspaces/tokens.ts',
]
/** They connect to the addresses that resolveHost let through, and never to the name again. */
const USERS = [
  'lib/providers/inbox/imap.ts',
  'lib/providers/mail-probe/dialogue.ts',
  'lib/providers/mail/session.ts',
  'lib/providers/outbound-http.ts',
]

describe('API8 misconfiguration', () => {
  // tests/unit/instance/security.test.ts has the headers, tests/e2e/instance/security.test.ts sees them arrive.
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
    const headers = { authorization: `Bearer ${keys.get('read')}` }
    const request = new Request('http://opener.test/api/v1/auth/me', { headers })
    const response = await routes(fault).GET(request, { params: Promise.resolve({}) })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/SELECT|secret/)
  })

  test('what is for development is not there in production', async () => {
    const pages = files.filter(({ file }) => /^app\/dev\/.*\/page\.tsx$/.test(file))
    expect(pages.length).toBeGreaterThan(0)
    // Beside development only where nobody but the machine itself reaches the instance.
    const guard = "process.env.NODE_ENV === 'production' && !isHereAlone()) notFound()"
    for (const { code } of pages) expect(code).toContain(guard)
    const { default: config } = await import(pathToFileURL(path.join(ROOT, 'next.config.mjs')).href)
    expect(config).toMatchObject({ poweredByHeader: false })
    expect(config.productionBrowserSourceMaps).toBeFalsy()
    expect(config.experimental?.serverActions?.allowedOrigins).toBeUndefined()
  })
})

describe('cookies open pages, never the API', () => {
  test('a route that goes by the cookie changes nothing: it answers GET alone', () => {
    const byCookie = files.filter(
      ({ file, code }) => /^app\/.*route\.ts$/.test(file) && /requireUser|currentUser|tokenForMe/.test(code),
    )
    expect(byCookie.length).toBeGreaterThan(2)
    for (const { file, code } of byCookie) {
      const methods = [...code.matchAll(/export (?:const|async function|function) (?:\{ )?([A-Z]+)\b/g)].map(
        ([, name]) => name,
      )
      expect([file, methods]).toEqual([file, ['GET']])
    }
  })

  test('the cookie comes along from no other site, and no script reads it', async () => {
    const { sessionCookie } = await import('#lib/http/session')
    expect(sessionCookie().options).toMatchObject({ httpOnly: true, sameSite: 'lax', path: '/' })
    const url = env().APP_URL
    env().APP_URL = 'https://opener.example.com'
    expect(sessionCookie()).toMatchObject({ name: '__Secure-opener.session', options: { secure: true } })
    env().APP_URL = url
  })
})

/** Doors that are no operation: each with whose they are. */
const OTHER_DOORS: Record<string, string> = {
  'app/(dashboard)/campaigns/[campaign_id]/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/campaigns/[campaign_id]/leads/rows/route.ts': 'rows of a table of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/rejects/export/route.ts': 'a download of the dashboard',
  'app/(dashboard)/datasets/[dataset_id]/rows/route.ts': 'rows of a table of the dashboard',
  'app/(dashboard)/live/[topic]/route.ts': 'whether a page has changed, for its session',
  'app/(dashboard)/sandbox/mail/[id]/raw/route.ts': 'a download of the dashboard',
  'app/(dashboard)/settings/account/export/route.ts': 'a download of the dashboard',
  'app/(public)/connected-accounts/callback/route.ts':
    'where a social network sends people back to, by a signed state',
  'app/(public)/files/[token]/route.ts': 'a file, by a signed link',
  'app/(public)/t/c/[token]/route.ts': 'a tracked link, signed',
  'app/(public)/t/o/[file]/route.ts': 'a tracked image, signed',
  'app/(public)/unsubscribe/[token]/submit/route.ts': 'one-click unsubscribe, signed',
  'app/.well-known/jwks.json/route.ts': 'the public keys',
  'app/api/auth/[...nextauth]/route.ts': 'sign-in of browsers',
  'app/api/billing/stripe/route.ts': 'signed by the payment provider',
  'app/api/inngest/route.ts': 'signed by the engine',
  'app/api/social/unipile/route.ts': 'signed by the social provider',
  'app/api/v1/[...path]/route.ts': '404 for all other paths',
  'app/api/v1/openapi.json/route.ts': 'the document itself',
  'app/api/v1/route.ts': '404, for nothing is there',
  'app/mcp/route.ts': 'MCP, with a credential',
  'app/mcp/uploads/[grant]/route.ts': 'an upload, by a grant for one use',
  'app/metrics/route.ts': 'Prometheus, with a token of its own',
}

describe('API9 inventory', () => {
  test('every route file is in the document, or known by name', () => {
    const routeFiles = files.map(({ file }) => file).filter((file) => /^app\/.*route\.ts$/.test(file))
    const paths = new Set(
      documented.map(
        ({ path: template }) => `app${template.replace(/\{(\w+)\}/g, '[$1]').replace(/\/$/, '')}/route.ts`,
      ),
    )
    expect(routeFiles.filter((file) => !paths.has(file)).toSorted()).toEqual(
      Object.keys(OTHER_DOORS).toSorted(),
    )
    expect([...paths].filter((file) => !routeFiles.includes(file))).toEqual([])
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
