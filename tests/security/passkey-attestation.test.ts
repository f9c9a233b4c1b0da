import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AddPasskey, StartPasskey } from '#lib/contracts/workspaces/passkeys'
import { call } from '#tests/support/call'
import { anAuthenticator } from '#tests/support/doubles/authenticator'
import { aUser } from '#tests/support/scenes/factories'
import { der, name, oid, utcTime } from '#tests/support/servers/certificate'

const asked: string[] = []
const inside = createServer(({ url }, answer) => {
  asked.push(url ?? '')
  answer.end()
})
beforeAll(() => new Promise<void>((resolve) => void inside.listen(0, '127.0.0.1', () => resolve())))
afterAll(() => {
  inside.closeAllConnections()
  inside.close()
})

const ECDSA = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const HOUR = 3_600_000
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)
const extension = (id: Buffer, value: Buffer) => der(0x30, id, der(0x04, value))
const small = (tag: number, value: number) => der(tag, Buffer.from([value]))

type Cert = { subject: string; key: KeyObject; extensions: Buffer[] }

/** A certificate signed by the sender's own authority. */
function certified({ subject, key, extensions }: Cert, by: KeyObject): Buffer {
  const valid = der(0x30, utcTime(new Date(Date.now() - HOUR)), utcTime(new Date(Date.now() + HOUR)))
  const body = der(
    0x30,
    der(0xa0, small(0x02, 2)),
    small(0x02, 1),
    ECDSA,
    name('authority'),
    valid,
    name(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions)),
  )
  return der(0x30, body, ECDSA, bits(sign('sha256', body, by)))
}

/** The attestation of an Android phone for its key, with a certificate revocation list at a URL of the attacker's choice. */
function androidKey(crl: string) {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return (client: Uint8Array, key: KeyObject) => {
    const description = der(
      0x30,
      small(0x02, 3),
      small(0x0a, 1),
      small(0x02, 4),
      small(0x0a, 1),
      der(0x04, createHash('sha256').update(client).digest()),
      der(0x04),
      der(0x30),
      der(0x30),
    )
    const places = der(0x30, der(0x30, der(0xa0, der(0xa0, der(0x86, Buffer.from(crl))))))
    const leaf = [
      extension(oid(0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 1, 17), description),
      extension(oid(0x55, 0x1d, 0x1f), places),
    ]
    const isAuthority = [extension(oid(0x55, 0x1d, 0x13), der(0x30, small(0x01, 0xff)))]
    const root = { subject: 'authority', key: authority.publicKey, extensions: isAuthority }
    const x5c = [
      certified({ subject: 'phone', key, extensions: leaf }, authority.privateKey),
      certified(root, authority.privateKey),
    ]
    return {
      fmt: 'android-key',
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['sig', Buffer.alloc(70)],
        ['x5c', x5c],
      ]),
    }
  }
}

test('a passkey that brings certificates is refused before anything is fetched that those name', async () => {
  const owner = await aUser()
  const { port } = inside.address() as AddressInfo
  const { options } = (await call(StartPasskey, { as: owner })).body
  const attest = androidKey(`http://127.0.0.1:${port}/revoked`)
  const answer = anAuthenticator().create(options, { attest })
  const { status } = await call(AddPasskey, { as: owner, body: { name: 'Phone', answer } })
  expect(asked).toEqual([])
  expect(status).toBe(422)
})

test('one that nobody vouches for is taken', async () => {
  const owner = await aUser()
  const { options } = (await call(StartPasskey, { as: owner })).body
  const answer = anAuthenticator().create(options)
  expect((await call(AddPasskey, { as: owner, body: { name: 'Phone', answer } })).status).toBe(201)
})
