import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { z } from 'zod'
import type { NewPasskeyAnswer, PasskeyAnswer } from '#lib/contracts/workspaces/passkeys'
import { relyingParty } from '#lib/services/workspaces/sign-in/relying-party'

type Request = { challenge: string }
type Says = {
  origin?: string
  rpId?: string
  userVerified?: boolean
  counter?: number
  userHandle?: string
  /** The device's attestation; absent: none. */
  attest?: (clientData: Uint8Array, key: KeyObject) => { fmt: string; attStmt: Map<string, unknown> }
}

const UP = 0x01
const UV = 0x04
const AT = 0x40

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')

/** The part of CBOR that an attestation needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])])
  throw new Error('not needed')
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const coordinates: [number, unknown][] = [
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], ...coordinates]))
}

/** A device that holds one passkey, and answers in the form in which browsers pass answers on. */
export function anAuthenticator() {
  const { id: rpId, origin } = relyingParty()
  const site = { rpId, origin }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const common = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const }
  let count = 0

  const clientData = (type: string, { challenge }: Request, says: Says) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: says.origin ?? site.origin, crossOrigin: false }))
  const authData = (says: Says, flags: number, more: Uint8Array = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(says.counter ?? count)
    const seen = says.userVerified === false ? UP : UP | UV
    const rp = createHash('sha256')
      .update(says.rpId ?? site.rpId)
      .digest()
    return Buffer.concat([rp, Buffer.from([seen | flags]), counter, more])
  }

  return {
    credential_id: common.id,
    create(request: Request, says: Says = {}): z.input<typeof NewPasskeyAnswer> {
      const length = Buffer.from([0, id.length])
      const data = authData(says, AT, Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]))
      const client = clientData('webauthn.create', request, says)
      const { fmt, attStmt } = says.attest?.(client, publicKey) ?? { fmt: 'none', attStmt: new Map() }
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', data],
      ])
      const clientDataJSON = base64url(client)
      const attestationObject = base64url(cbor(attestation))
      return { ...common, response: { clientDataJSON, attestationObject, transports: ['internal'] } }
    },
    get(request: Request, says: Says = {}): z.input<typeof PasskeyAnswer> {
      count += 1
      const client = clientData('webauthn.get', request, says)
      const data = authData(says, 0)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const userHandle = says.userHandle && base64url(says.userHandle)
      return {
        ...common,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', signed, privateKey)),
          ...(userHandle && { userHandle }),
        },
      }
    },
  }
}
