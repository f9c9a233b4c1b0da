import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { env } from '#lib/env'

const TAG_BYTES = 16

type Key = { id: string; bytes: Buffer }

const masters = new Map<string, Key>()
const derived = new Map<string, Buffer>()

const hmac = (key: Buffer, purpose: string) => createHmac('sha256', key).update(purpose).digest()

/** The current key, then older keys that only open what was sealed before a rotation. */
function masterKeys(): [Key, ...Key[]] {
  const { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD } = env()
  return [
    parseKey('ENCRYPTION_KEY', ENCRYPTION_KEY),
    ...ENCRYPTION_KEYS_OLD.map((key) => parseKey('ENCRYPTION_KEYS_OLD', key)),
  ]
}

function parseKey(name: string, base64: string): Key {
  const known = masters.get(base64)
  if (known) return known
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 32) throw new Error(`${name} must be 32 bytes in base64.`)
  // An id that reveals nothing about the key.
  const key = { id: hmac(bytes, 'key-id').toString('hex').slice(0, 8), bytes }
  masters.set(base64, key)
  return key
}

function derivedFrom({ id, bytes }: Key, purpose: string): Buffer {
  const name = `${id}:${purpose}`
  const key = derived.get(name) ?? hmac(bytes, purpose)
  derived.set(name, key)
  return key
}

/** A separate key per purpose, so that a link's signature can never open a password. */
export const keyFor = (purpose: string): Buffer => derivedFrom(masterKeys()[0], purpose)

/** The first result of `read` over all keys, the current one first: links in mail outlive a rotation. */
export function withEachKey<T>(purpose: string, read: (key: Buffer) => T | null): T | null {
  for (const key of masterKeys()) {
    const opened = read(derivedFrom(key, purpose))
    if (opened !== null) return opened
  }
  return null
}

/** The prefix of everything sealed by the current key. */
export const sealedPrefix = (): string => `v2.${masterKeys()[0].id}.`

/**
 * Encrypts a secret for its column: "v2.", the key's id, "." and base64url(nonce, tag, AES-256-GCM text). A secret sealed for a
 * row's id cannot be opened for another row, so copying it there is useless.
 */
export function seal(secret: string, row = ''): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce).setAAD(Buffer.from(row))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return sealedPrefix() + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** Throws if the text was altered, or sealed for another row or under an unknown key. */
export function unseal(sealed: string, row = ''): string {
  const [, id, text = ''] = sealed.match(/^v2\.([0-9a-f]{8})\.(.*)$/) ?? []
  if (id === undefined) return unsealUnnamed(sealed)
  const key = masterKeys().find((one) => one.id === id)
  if (!key) throw new Error(`It was sealed under a key that is not known here (${id}).`)
  // Decoding ignores extra characters, so they are refused here: we never issued such a text.
  if (Buffer.from(text, 'base64url').toString('base64url') !== text) throw new Error('It was altered.')
  return open(text, key, row)
}

/** The same, or null, for callers that can do without the secret if a key was lost. */
export function unsealOrNull(sealed: string, row = ''): string | null {
  try {
    return unseal(sealed, row)
  } catch {
    return null
  }
}

/** The format before keys had ids: "v1." and the text. GCM's tag shows which key is the right one. */
function unsealUnnamed(sealed: string): string {
  const text = sealed.replace(/^v1\./, '')
  const [first, ...others] = masterKeys()
  for (const key of others) {
    try {
      return open(text, key)
    } catch {
      // It was sealed with another key.
    }
  }
  return open(text, first)
}

function open(text: string, key: Key, row = ''): string {
  const bytes = Buffer.from(text, 'base64url')
  // Requires the whole tag: Node would accept a truncated one.
  const decipher = createDecipheriv('aes-256-gcm', derivedFrom(key, 'seal'), bytes.subarray(0, 12), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(row))
  decipher.setAuthTag(bytes.subarray(12, 12 + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(12 + TAG_BYTES)), decipher.final()]).toString('utf8')
}
