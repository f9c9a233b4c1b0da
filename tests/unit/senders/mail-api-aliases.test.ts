import { afterAll, expect, test } from 'vitest'
import { createGmailAliases } from '#lib/providers/mail-api/gmail/aliases'
import { createGraphAliases } from '#lib/providers/mail-api/graph/aliases'
import { aGmailServer, gmailError } from '#tests/support/servers/gmail'
import { aGraphServer, graphError } from '#tests/support/servers/graph'
import type { MailApiServerOptions } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const outbound = { policy: { allow_private_hosts: true } }
const token = { access_token: 'secret-token', api_user: null }
const answering = (answer: NonNullable<ReturnType<NonNullable<MailApiServerOptions['play']>>>) => ({
  play: () => answer,
})

async function gmail(options: MailApiServerOptions = {}) {
  const server = await aGmailServer(options)
  closers.push(server.close)
  return { ...server, read: () => createGmailAliases({ origin: server.origin, outbound })(token) }
}

async function graph(options: Parameters<typeof aGraphServer>[0] = {}) {
  const server = await aGraphServer(options)
  closers.push(server.close)
  const mailbox = { ...token, api_user: options.user ?? null }
  return { ...server, read: () => createGraphAliases({ origin: server.origin, outbound })(mailbox) }
}

test('Gmail: the own address, aliases of the account and those that were confirmed, and no other', async () => {
  const { sendAs, read, asked } = await gmail()
  sendAs.push(
    { sendAsEmail: 'ana@company.test', isPrimary: true },
    { sendAsEmail: 'alias@company.test' },
    { sendAsEmail: 'sales@company.test', verificationStatus: 'accepted' },
    { sendAsEmail: 'boss@company.test', verificationStatus: 'pending' },
    { sendAsEmail: 'odd@company.test', verificationStatus: 'verificationStatusUnspecified' },
  )
  const aliases = ['ana@company.test', 'alias@company.test', 'sales@company.test']
  expect(await read()).toEqual({ ok: true, aliases })
  expect(asked.map(({ path }) => path)).toEqual(['/gmail/v1/users/me/settings/sendAs'])
})

test('Graph: addresses of mail alone, of whoever signed in or of the mailbox that an app names', async () => {
  const proxyAddresses = [
    'SMTP:ana@company.test',
    'smtp:Sales@Company.test',
    'X500:/o=x',
    'SIP:ana@company.test',
  ]
  for (const user of [undefined, 'ana@company.test']) {
    const server = await graph(user ? { user } : {})
    server.profile.proxyAddresses = proxyAddresses
    expect(await server.read()).toEqual({ ok: true, aliases: ['ana@company.test', 'Sales@Company.test'] })
    expect(server.asked[0]?.path).toBe(user ? '/v1.0/users/ana%40company.test' : '/v1.0/me')
  }
})

test('Graph: who has not allowed it is not asked to, and is told what it takes', async () => {
  const { read } = await graph()
  expect(await read()).toMatchObject({
    ok: false,
    passes: false,
    error: expect.stringContaining('User.Read'),
  })
})

test('Graph: a mailbox of which no address is named, as a personal one, is written by hand', async () => {
  const server = await graph()
  server.profile.proxyAddresses = []
  expect(await server.read()).toMatchObject({ ok: false, passes: false })
})

test.each([
  ['Gmail', 'too many questions', gmail, gmailError(429, 'rateLimitExceeded'), true],
  ['Gmail', 'a bad moment', gmail, { status: 503 }, true],
  ['Gmail', 'a missing scope', gmail, gmailError(403, 'insufficientPermissions'), false],
  ['Gmail', 'another form', gmail, { status: 200, body: { sendAs: 'none' } }, true],
  ['Graph', 'too many questions', graph, graphError(429, 'TooManyRequests'), true],
  ['Graph', 'a bad moment', graph, { status: 504 }, true],
  ['Graph', 'another form', graph, { status: 200, body: { proxyAddresses: 7 } }, true],
] as const)('%s: %s', async (_, _what, serve, answer, passes) => {
  const { read } = await serve(answering(answer))
  const named = await read()
  expect(named).toMatchObject({ ok: false, passes })
  expect(JSON.stringify(named)).not.toContain('secret-token')
})
