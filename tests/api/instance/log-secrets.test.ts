import { expect, test, vi } from 'vitest'
import { CreateMailbox, TestMailbox, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { routes } from '#lib/http/route'
import { readCurrentUser } from '#lib/operations/workspaces/auth'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { issueToken } from '#lib/services/workspaces/tokens'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { documented } from '#tests/support/files/document'
import { mcpClient, upload } from '#tests/support/mcp'
import { keepWrittenLines } from '#tests/support/written-lines'

// Set before any module reads the environment: everything that can be logged is logged.
process.env.LOG_LEVEL = 'debug'
process.env.ALLOW_PRIVATE_HOSTS = '1'
process.env.NEXTAUTH_SECRET = 'the-secret-of-sessions'

const said = keepWrittenLines()
for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
  vi.spyOn(console, level).mockImplementation((...words) => void said.push(words.map(String).join(' ')))

const PASSWORDS = {
  sign_in: 'correct-horse-battery',
  wrong: 'wrong-guess-of-mine',
  smtp: 'the-mailboxes-own',
  imap: 'of-imap-too',
}

/** An account from sign-in to sending tools, with the failures that log most. */
async function play(): Promise<string[]> {
  const secrets = Object.values(PASSWORDS)
  const owner = await createUserWithPassword('logs@example.com', 'Logs', PASSWORDS.sign_in)
  if (!owner) throw new Error('The account exists already.')
  const now = new Date()
  await signInByPassword({ email: 'logs@example.com', password: PASSWORDS.wrong }, 'here', now)
  await signInByPassword({ email: 'logs@example.com', password: PASSWORDS.sign_in }, 'here', now)
  const jwt = await issueToken(owner.user_id, now)
  const { key } = (await call(CreateApiKey, { as: owner, body: { name: 'K' } })).body
  secrets.push(jwt, key)

  const server = { host: '127.0.0.1', port: 1, security: 'none', username: 'me' }
  const body = {
    address: 'me@example.org',
    smtp: { ...server, password: PASSWORDS.smtp },
    imap: { ...server, password: PASSWORDS.imap },
  }
  const mailbox = (await call(CreateMailbox, { token: key, body })).body
  await call(TestMailbox, { token: key, params: mailbox })
  await call(UpdateMailbox, { token: key, params: mailbox, body: { smtp: { ...body.smtp, port: 'x' } } })
  for (const token of [`${key}x`, `${jwt}x`]) await call(ReadCurrentUser, { token })

  const { call: tool } = await mcpClient(key)
  const { upload_url } = (await tool('importSpreadsheet')).said
  secrets.push(new URL(upload_url).pathname.split('/').at(-1) ?? '')
  await upload(upload_url, new FormData())

  // Calls every operation once with an unknown body that contains the secrets.
  for (const { path, method } of documented)
    await knock(method.toUpperCase(), path.replace('/api/v1', '').replace(/\{\w+\}/g, crypto.randomUUID()), {
      headers: { authorization: `Bearer ${key}`, cookie: `session=${PASSWORDS.sign_in}` },
      ...(method === 'get' || method === 'delete'
        ? {}
        : { body: JSON.stringify({ password: PASSWORDS.smtp, key }) }),
    })
  return secrets
}

/** An internal error during a request: it is logged with a stack. */
async function fail(token: string) {
  const broken = { ...readCurrentUser, act: () => Promise.reject(new Error('a fault')) }
  const headers = { authorization: `Bearer ${token}` }
  const request = new Request('http://opener.test/api/v1/auth/me', { headers })
  return routes(broken).GET(request, { params: Promise.resolve({}) })
}

test('nothing that is secret is in what a played run has logged', async () => {
  const secrets = await play()
  const jwt = secrets.find((secret) => secret.startsWith('ey')) ?? ''
  expect((await fail(jwt)).status).toBe(500)
  const url = new URL(process.env.DATABASE_URL ?? '')
  secrets.push(process.env.ENCRYPTION_KEY ?? '', process.env.NEXTAUTH_SECRET ?? '')
  if (url.password.length > 8) secrets.push(url.password)

  await expect.poll(() => said.some((line) => line.includes('a fault'))).toBe(true)
  expect(said.length).toBeGreaterThan(documented.length)
  const log = said.join('\n')
  expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([])
  // Neither the digest under which a key is found nor a password hash is logged.
  const [key] = await db.apiKey.findMany()
  const [user] = await db.user.findMany({ where: { email: 'logs@example.com' } })
  for (const kept of [key?.key_digest, user?.password_hash]) {
    expect(kept).toEqual(expect.any(String))
    expect(log).not.toContain(kept)
  }
})
