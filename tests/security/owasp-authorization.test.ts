// OWASP API Security Top 10 of 2023: authorization. Where another test file covers a risk, it is named.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract, Scope } from '#lib/contracts/contract'
import { SCOPES } from '#lib/contracts/contract'
import { ReadTemplate } from '#lib/contracts/messages/templates'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { routes } from '#lib/http/route'
import { operations } from '#lib/operations/all'
import { createApiKey, revokeApiKey } from '#lib/services/workspaces/api-keys'
import { signInByPassword, signUp } from '#lib/services/workspaces/sign-in/by-password'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { sources } from '#tests/support/code/source-files'
import { aTemplate, aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment; these tests send more requests than a minute allows.
Object.assign(process.env, { ALLOW_SIGN_UP: '1', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' })

const contracts = operations.map(({ contract }) => contract)
const guarded = contracts.filter(({ scope }) => scope !== null)
const files = sources()
const paramsOf = ({ path: template }: Contract) =>
  Object.fromEntries([...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, crypto.randomUUID()]))

let owner: Awaited<ReturnType<typeof aUser>>
/** One key for each scope, with that scope only. */
const keys = new Map<Scope, string>()
beforeAll(async () => {
  owner = await aUser({ tier: 'scale' })
  for (const scope of SCOPES)
    keys.set(
      scope,
      (await createApiKey(owner, { name: scope, scopes: [scope], expires_at: null }, new Date())).key,
    )
})

describe('API1 object level authorization', () => {
  // tests/api/http/isolation.test.ts calls every operation with rows of another workspace.
  test('whoever asks is always known, so that every query can be for their rows', async () => {
    const open = contracts.filter(({ scope }) => scope === null).map(({ id }) => id)
    expect(open).toEqual(['readHealth'])
    const walk = files.find(({ file }) => file === 'tests/api/http/isolation.test.ts')?.code
    expect(walk).toContain('operations.map(({ contract }) => contract)')
  })
})

describe('API2 authentication', () => {
  // tests/api/workspaces/auth.test.ts covers forged and wrong tokens, alg none and HS256 among them.
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
    const made = await createApiKey(owner, fields, now)
    expect((await call(ReadCurrentUser, { token: made.key })).status).toBe(200)
    await revokeApiKey(owner.workspace_id, made.id, now)
    expect((await call(ReadCurrentUser, { token: made.key })).status).toBe(401)
    const ended = await createApiKey(owner, fields, now)
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

/** Sends mail to the user's own address only. */
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
    expect(sessionCookie()).toMatchObject({ name: '__Host-opener.session', options: { secure: true } })
    env().APP_URL = url
  })
})
