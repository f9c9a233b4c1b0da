import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { env } from '#lib/env'

const derived = new Map<string, Buffer>()

const masterKey = () => {
  const key = Buffer.from(env().ENCRYPTION_KEY, 'base64')
  if (key.length !== 32) throw new Error('ENCRYPTION_KEY must be 32 bytes in base64.')
  return key
}

/** Keys for one purpose each, so that a link's signature can never open a password. */
export function keyFor(purpose: string): Buffer {
  const key = derived.get(purpose) ?? createHmac('sha256', masterKey()).update(purpose).digest()
  derived.set(purpose, key)
  return key
}

/** Encrypts a secret for its column: "v1." + base64url(nonce, tag, AES-256-GCM text). */
export function seal(secret: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce)
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
}

/** Throws where the text was altered or sealed under another key. */
export function unseal(sealed: string): string {
  const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}
