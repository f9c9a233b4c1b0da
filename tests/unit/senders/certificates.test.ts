import { type AddressInfo, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import { createImapCheck } from '#lib/providers/inbox/imap-check'
import { createSmtpProvider } from '#lib/providers/mail/smtp'
import { certificateFor } from '#tests/support/servers/certificate'

const HOUR = 3_600_000
const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

async function shows(certificate: { cert: string; key: string } | null) {
  const server = certificate
    ? createTlsServer(certificate, (socket) => void socket.on('error', () => undefined))
    : // Without TLS where TLS is expected.
      createServer((socket) => void socket.on('error', () => undefined).write('* OK 220 hello\r\n'))
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}

const CASES = [
  {
    what: 'that has expired',
    made: certificateFor('mail.test', { from: -2 * HOUR, until: -HOUR }),
    said: /^The certificate of mail\.test has expired/,
  },
  {
    what: 'that is not valid yet',
    made: certificateFor('mail.test', { from: HOUR, until: 2 * HOUR }),
    said: /^The certificate of mail\.test is not valid yet: check the clock/,
  },
  {
    what: 'for another name',
    made: certificateFor('post.test'),
    said: /^The certificate is not for mail\.test. Enter the name on the certificate \(post\.test\)\.$/,
  },
  {
    what: 'that nobody vouches for',
    made: certificateFor('mail.test'),
    isUnknown: true,
    said: /^The certificate of mail\.test is self-signed.*NODE_EXTRA_CA_CERTS/,
  },
  {
    what: 'of nobody, for want of TLS',
    made: null,
    said: /^mail\.test does not use TLS on this port/,
  },
]

describe.each(CASES)('a certificate $what', ({ made, isUnknown, said }) => {
  const options = {
    policy: { allow_private_hosts: true },
    lookup: async () => ['127.0.0.1'],
    ...(made && !isUnknown && { ca: made.cert }),
  }
  const connection = { host: 'mail.test', security: 'tls', username: 'ada', password: 'secret' } as const

  test('is told as what it is of the server that sends', async () => {
    const outcome = await createSmtpProvider(options).verify({ ...connection, port: await shows(made) })
    expect(outcome).toEqual({ ok: false, reason: 'tls', error: expect.stringMatching(said) })
  })

  test('and of the one that receives', async () => {
    const outcome = await createImapCheck(options)({ ...connection, port: await shows(made) })
    expect(outcome).toEqual({ ok: false, reason: 'tls', error: expect.stringMatching(said) })
  })
})
