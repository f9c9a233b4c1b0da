import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { env } from '#lib/env'

const TAG_BYTES = 16

type Key = { id: string; bytes: Buffer }

const masters = new Map<string, Key>()
const derived = new Map<string, Buffer>()

const hmac = (key: Buffer, purpose: string) => createHmac('sha256', key).update(purpose).digest()

/** The key that seals, then those that only open what was sealed before a rotation. */
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
  // Names the key and tells nothing of it.
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

/** Keys for one purpose each, so that a link's signature can never open a password. */
export const keyFor = (purpose: string): Buffer => derivedFrom(masterKeys()[0], purpose)

/** The first that `read` makes of any key, the current one first: links in mail outlive a rotation. */
export function withEachKey<T>(purpose: string, read: (key: Buffer) => T | null): T | null {
  for (const key of masterKeys()) {
    const opened = read(derivedFrom(key, purpose))
    if (opened !== null) return opened
  }
  return null
}

/** What everything begins with that the current key has sealed. */
export const sealedPrefix = (): string => `v2.${masterKeys()[0].id}.`

/**
 * Encrypts a secret for its column: "v2.", the key's id, "." and base64url(nonce, tag, AES-256-GCM text). What is sealed for a
 * row, by its id, opens for no other: a text copied into another row is of no use there.
 */
export function seal(secret: string, row = ''): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce).setAAD(Buffer.from(row))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return sealedPrefix() + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** Throws where the text was altered, sealed for another row or under a key that is not known. */
export function unseal(sealed: string, row = ''): string {
  const [, id, text = ''] = sealed.match(/^v2\.([0-9a-f]{8})\.(.*)$/) ?? []
  if (id === undefined) return unsealUnnamed(sealed)
  const key = masterKeys().find((one) => one.id === id)
  if (!key) throw new Error(`It was sealed under a key that is not known here (${id}).`)
  // A letter too many is no part of the bytes, and no part of what was given out either.
  if (Buffer.from(text, 'base64url').toString('base64url') !== text) throw new Error('It was altered.')
  return open(text, key, row)
}

/** The same, or null: for whoever has something else to do where a key was lost. */
export function unsealOrNull(sealed: string, row = ''): string | null {
  try {
    return unseal(sealed, row)
  } catch {
    return null
  }
}

/** Before keys had names: "v1." and the text. GCM's tag tells the right key from the others. */
function unsealUnnamed(sealed: string): string {
  const text = sealed.replace(/^v1\./, '')
  const [first, ...others] = masterKeys()
  for (const key of others) {
    try {
      return open(text, key)
    } catch {
      // Another key's.
    }
  }
  return open(text, first)
}

function open(text: string, key: Key, row = ''): string {
  const bytes = Buffer.from(text, 'base64url')
  // The whole tag: of one that was cut off Node would hold the rest for enough.
  const decipher = createDecipheriv('aes-256-gcm', derivedFrom(key, 'seal'), bytes.subarray(0, 12), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(row))
  decipher.setAuthTag(bytes.subarray(12, 12 + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(12 + TAG_BYTES)), decipher.final()]).toString('utf8')
}
