import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { certificateFor } from '#tests/support/servers/certificate'

const { cert, key } = certificateFor('mail.test')
const signedIn: string[] = []

function aServer(secure: boolean) {
  return new SMTPServer({
    secure,
    cert,
    key,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth: ({ username = '', password }, session, done) => {
      signedIn.push(`${username} over ${session.secure ? 'TLS' : 'plain text'}`)
      done(password === 'right' ? null : new Error('No'), { user: username })
    },
  })
}

const servers = { tls: aServer(true), starttls: aServer(false) }

beforeAll(async () => {
  for (const server of Object.values(servers)) {
    server.on('error', () => undefined)
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve())
    })
  }
})
afterAll(async () => {
  for (const server of Object.values(servers)) await new Promise<void>((resolve) => server.close(resolve))
})

describe.each(['tls', 'starttls'] as const)('a mailbox with %s', (security) => {
  const verify = (host: string, { ca, password = 'right' }: { ca?: string; password?: string } = {}) => {
    const { port } = servers[security].server.address() as AddressInfo
    const provider = createSmtpProvider({
      policy: { allow_private_hosts: true },
      lookup: async () => ['127.0.0.1'],
      ...(ca && { ca }),
    })
    return provider.verify({ host, port, security, username: 'ada', password })
  }

  test('signs in where the certificate is trusted and names the host', async () => {
    signedIn.length = 0
    expect(await verify('mail.test', { ca: cert })).toEqual({ ok: true })
    expect(signedIn).toEqual(['ada over TLS'])
  })

  test('keeps its password from a server whose certificate nobody vouches for, or names another', async () => {
    signedIn.length = 0
    expect(await verify('mail.test')).toMatchObject({ ok: false, reason: 'tls' })
    expect(await verify('other.test', { ca: cert })).toMatchObject({ ok: false, reason: 'tls' })
    expect(signedIn).toEqual([])
  })

  test('says when the password is wrong', async () => {
    expect(await verify('mail.test', { ca: cert, password: 'wrong' })).toMatchObject({
      ok: false,
      reason: 'auth',
    })
  })
})
