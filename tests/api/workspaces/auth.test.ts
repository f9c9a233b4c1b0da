import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { ReadCurrentUser, VerifyCredential } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { issueToken, publicKeys } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { aTemplate, aUser } from '#tests/support/scenes/factories'
import { anIssuer } from '#tests/support/servers/issuer'

const issuer = await anIssuer()
const stranger = await anIssuer()
// Set before any module reads the environment: one issuer found by discovery, trusted for one audience.
process.env.AUTH_ISSUERS = JSON.stringify([{ issuer: issuer.url, audience: 'opener-api' }])
afterAll(() => {
  issuer.close()
  stranger.close()
})

const minutes = (count: number) => count * 60_000
const inSeconds = (offset: number) => Math.floor(Date.now() / 1000) + offset
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const me = (token: string) => call(ReadCurrentUser, { token })
let subjects = 0
const aSubject = () => `subject-${++subjects}`

test('a token of our own opens, says who it is, and verify says the same', async () => {
  const user = await aUser()
  const token = await issueToken(user.user_id, new Date())
  const { status, body } = await me(token)
  expect(status).toBe(200)
  expect(body).toEqual({
    user_id: user.user_id,
    email: user.email,
    name: user.name,
    tier: 'free',
    credential: 'jwt',
    scopes: ['read', 'write', 'send', 'admin'],
    created_at: user.created_at.toISOString(),
    workspace_id: user.workspace_id,
    workspace_name: user.name,
    role: 'owner',
    workspaces: [
      {
        workspace_id: user.workspace_id,
        name: user.name,
        slug: expect.stringMatching(/^user-\d+-[0-9a-f]{8}$/),
        role: 'owner',
      },
    ],
  })
  expect((await call(VerifyCredential, { token })).body).toEqual(body)
})

test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is understood', async (scheme) => {
  const token = await issueToken((await aUser()).user_id, new Date())
  expect((await call(ReadCurrentUser, { headers: { authorization: `${scheme} ${token}` } })).status).toBe(200)
})

const own = async (claims: Record<string, unknown>) => {
  const user = await aUser()
  const payload = {
    iss: 'http://opener.test',
    aud: 'opener',
    sub: user.user_id,
    exp: inSeconds(300),
    ...claims,
  }
  const { keys } = await publicKeys()
  return { payload, key: keys[0] }
}

const REFUSED: [string, () => Promise<string>][] = [
  ['nothing', async () => ''],
  ['no token', async () => 'Bearer'],
  ['another scheme', async () => 'Basic dXNlcjpwYXNz'],
  ['words', async () => 'Bearer not a token'],
  ['a broken JWT', async () => 'Bearer a.b.c'],
  ['a JWT whose payload is a list', async () => `Bearer ${base64url({ alg: 'none' })}.${base64url([])}.`],
  ['an API key nobody made', async () => `Bearer opn_live_${'x'.repeat(43)}`],
  [
    'a token that ran out',
    async () =>
      `Bearer ${await issueToken((await aUser()).user_id, new Date(Date.now() - minutes(13 * 60)))}`,
  ],
  [
    'a token of a user who is gone',
    async () => `Bearer ${await issueToken('01900000-0000-7000-8000-000000000000', new Date())}`,
  ],
  [
    'alg none',
    async () => {
      const { payload } = await own({})
      return `Bearer ${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(payload)}.`
    },
  ],
  [
    'HS256 keyed with the public key',
    async () => {
      const { payload, key } = await own({})
      const secret = new TextEncoder().encode(JSON.stringify(key))
      const token = new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: key?.kid ?? '' })
      return `Bearer ${await token.sign(secret)}`
    },
  ],
  [
    'our name on a key that is not ours',
    async () => {
      const { payload, key } = await own({})
      const { privateKey } = await generateKeyPair('ES256')
      const token = new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: key?.kid ?? '' })
      return `Bearer ${await token.sign(privateKey)}`
    },
  ],
  ['an issuer that is not configured', async () => `Bearer ${await stranger.sign({ sub: aSubject() })}`],
  [
    'a trusted name signed by a stranger',
    async () => `Bearer ${await stranger.sign({ iss: issuer.url, sub: aSubject() })}`,
  ],
  ['another audience', async () => `Bearer ${await issuer.sign({ sub: aSubject(), aud: 'billing' })}`],
  [
    'a token not valid yet',
    async () => `Bearer ${await issuer.sign({ sub: aSubject(), nbf: inSeconds(300) })}`,
  ],
  ['a token without an end', async () => `Bearer ${await issuer.sign({ sub: aSubject(), exp: undefined })}`],
  ['a token without a subject', async () => `Bearer ${await issuer.sign({})}`],
  [
    'a key the issuer does not publish',
    async () => `Bearer ${await issuer.sign({ sub: aSubject() }, { kid: 'two' })}`,
  ],
]

test.each(REFUSED)('401 for %s', async (_, authorization) => {
  const headers = { authorization: await authorization() }
  const before = await db.user.count()
  const { status, headers: answered, error } = await call(ReadCurrentUser, { headers })
  expect(status).toBe(401)
  expect(answered.get('www-authenticate')).toBe('Bearer')
  expect(error).toEqual({ detail: 'Authentication is required.' })
  expect(await db.user.count()).toBe(before)
})

test('a token of a configured issuer makes its user once', async () => {
  const claims = {
    sub: aSubject(),
    email: 'New.Person@Example.com',
    email_verified: true,
    name: 'New Person',
  }
  const first = await me(await issuer.sign(claims))
  expect(first.body).toMatchObject({ email: 'new.person@example.com', name: 'New Person', tier: 'free' })
  const again = await me(await issuer.sign({ ...claims, email: 'changed@example.com' }))
  expect(again.body.user_id).toBe(first.body.user_id)
})

test('what a token of an issuer says of groups and domains gives nothing in any workspace', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  const domain = `acme-${crypto.randomUUID()}.com`
  const now = new Date()
  await db.signInDomain.create({
    data: { workspace_id, domain, role: 'member', token: 't', verified_at: now, checked_at: now },
  })
  await db.groupRoles.create({
    data: { workspace_id, roles: [{ group: 'leads', role: 'admin' }], includes_invited: true },
  })
  const claims = { sub: aSubject(), email: `ann@${domain}`, email_verified: true, groups: ['leads'] }
  const { body } = await me(await issuer.sign(claims))
  expect(await db.member.count({ where: { workspace_id, user_id: body.user_id } })).toBe(0)
  await db.member.create({
    data: { workspace_id, user_id: body.user_id, role: 'viewer', role_from: 'provider' },
  })
  await me(await issuer.sign(claims))
  const where = { workspace_id_user_id: { workspace_id, user_id: body.user_id } }
  expect(await db.member.findUnique({ where })).toMatchObject({ role: 'viewer' })
})

test('first requests at once make one user', async () => {
  const token = await issuer.sign({ sub: aSubject(), email: 'twice@example.com', email_verified: true })
  const all = await Promise.all(Array.from({ length: 8 }, () => me(token)))
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(new Set(all.map(({ body }) => body.user_id)).size).toBe(1)
})

test('an address that the provider vouches for joins the account that has it', async () => {
  const user = await aUser()
  const { body } = await me(await issuer.sign({ sub: aSubject(), email: user.email, email_verified: true }))
  expect(body.user_id).toBe(user.user_id)
})

test.each([{ email_verified: false }, { email_verified: 'true' }, {}])(
  'an address that nobody vouches for (%j) joins nothing',
  async (claim) => {
    const user = await aUser()
    const { body } = await me(await issuer.sign({ sub: aSubject(), email: user.email, ...claim }))
    expect(body.user_id).not.toBe(user.user_id)
    expect(body.email).not.toBe(user.email)
  },
)

test('the same subject at another issuer is another person', async () => {
  const user = await aUser()
  await db.identity.create({
    data: { issuer: 'https://other.example', subject: 'shared', user_id: user.user_id },
  })
  const { body } = await me(await issuer.sign({ sub: 'shared' }))
  expect(body.user_id).not.toBe(user.user_id)
})

test.each([
  ['a known id', 'GET', 'own'],
  ['an unknown id', 'GET', '01900000-0000-7000-8000-000000000000'],
  ['an id that is none', 'GET', 'nonsense'],
  ['a method that the path lacks', 'PUT', 'own'],
  ['a body that is no JSON', 'PATCH', 'own'],
])('401 comes before anything about %s', async (_, method, which) => {
  const id = which === 'own' ? (await aTemplate(await aUser())).template_id : which
  const response = await knock(method, `/templates/${id}`, method === 'PATCH' ? { body: '{' } : {})
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
})

test('the published keys carry nothing private', async () => {
  const { keys } = await publicKeys()
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) {
    expect(key).toMatchObject({ kty: 'EC', alg: 'ES256', use: 'sig' })
    expect(key).not.toHaveProperty('d')
  }
})
