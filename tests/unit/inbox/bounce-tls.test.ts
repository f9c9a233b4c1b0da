import * as fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readCertificate, renewal } from '#lib/providers/mail/bounce-certificate'
import { createBounceServer } from '#lib/providers/mail/bounce-smtp'
import { deliverRaw } from '#lib/providers/mail/deliver'
import { openSession } from '#lib/providers/mail/session'
import { certificateFor } from '#tests/support/servers/certificate'

const TIMEOUTS = { connect: 20_000, greeting: 20_000, reply: 20_000, send: 30_000, end: 10_000 }
const RAW = 'Subject: Undelivered\r\n\r\nGone.\r\n'

const over: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const end of over.splice(0)) await end()
})

async function aServer(certificate?: { cert: string; key: string }) {
  const taken: string[] = []
  const server = createBounceServer<string>({
    certificate,
    target: async (address) => (address.endsWith('@bounce.test') ? address : null),
    take: async (targets) => void taken.push(...targets),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  over.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { server, taken, port: (server.server.address() as AddressInfo).port }
}

/** Delivers as another mail server that requires TLS and trusts `ca`. */
async function deliverEncrypted(port: number, ca: string) {
  const mailbox = { host: 'mx.test', port, security: 'starttls', username: null, password: null } as const
  const session = await openSession({ address: '127.0.0.1', mailbox, timeouts: TIMEOUTS, ca })
  if ('outcome' in session) return session
  const outcome = await session.offer({ from: '', to: ['b@bounce.test'] }, Buffer.from(RAW))
  session.quit()
  return outcome
}
const deliverPlain = (port: number) => deliverRaw(port, { from: '', to: 'a@bounce.test' }, RAW)

/** A folder with both files, as a certificate renewal leaves them. */
function files(certificate: { cert: string; key: string }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-bounce-tls-'))
  over.push(() => fs.rmSync(folder, { recursive: true }))
  const paths = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') }
  const write = (what: Partial<typeof certificate>) => {
    for (const name of ['cert', 'key'] as const)
      if (what[name] !== undefined) fs.writeFileSync(paths[name], what[name])
  }
  write(certificate)
  return { paths, write }
}

test('with a certificate, bounces come encrypted or plain; without one, plain alone', async () => {
  const certificate = certificateFor('mx.test')
  const encrypting = await aServer(certificate)
  expect(await deliverEncrypted(encrypting.port, certificate.cert)).toMatchObject({ outcome: 'accepted' })
  expect(await deliverPlain(encrypting.port)).toMatchObject({ outcome: 'accepted' })
  expect(encrypting.taken).toEqual(['b@bounce.test', 'a@bounce.test'])

  const plain = await aServer()
  expect(await deliverEncrypted(plain.port, certificate.cert)).not.toMatchObject({ outcome: 'accepted' })
  expect(await deliverPlain(plain.port)).toMatchObject({ outcome: 'accepted' })
})

test('a renewed certificate is taken up, and one that is no good changes nothing', async () => {
  const [first, second] = [certificateFor('mx.test'), certificateFor('mx.test')]
  const { paths, write } = files(first)
  const { server, port } = await aServer(readCertificate(paths))
  const errors: Error[] = []
  const look = renewal(paths, first, {
    use: (next) => server.updateSecureContext(next),
    onError: (error) => errors.push(error),
  })
  expect(look()).toBe(false)
  // Only the certificate of the new pair is there, not its key.
  write({ cert: second.cert })
  expect(look()).toBe(false)
  expect(errors).toHaveLength(1)
  expect(await deliverEncrypted(port, first.cert)).toMatchObject({ outcome: 'accepted' })
  write({ key: second.key })
  expect([look(), look()]).toEqual([true, false])
  expect(await deliverEncrypted(port, second.cert)).toMatchObject({ outcome: 'accepted' })
  expect(await deliverEncrypted(port, first.cert)).not.toMatchObject({ outcome: 'accepted' })
  fs.rmSync(paths.key)
  expect(look()).toBe(false)
  expect(await deliverEncrypted(port, second.cert)).toMatchObject({ outcome: 'accepted' })
})

test('files that are missing or do not belong together are no certificate', () => {
  const { paths, write } = files(certificateFor('mx.test'))
  write({ key: certificateFor('mx.test').key })
  expect(() => readCertificate(paths)).toThrow()
  expect(() => readCertificate({ ...paths, key: '/nowhere/key.pem' })).toThrow(/ENOENT/)
})
