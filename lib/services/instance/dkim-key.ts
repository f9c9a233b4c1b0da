import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { seal } from '#lib/db/seal'

const generate = promisify(generateKeyPair)

/** RFC 8301: every receiver accepts 2048 bits; longer keys are not accepted everywhere. The date in the selector shows the key's age. */
export async function newKey(now: Date) {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const date = now.toISOString().slice(0, 10).replaceAll('-', '')
  return {
    selector: `opn${date}${randomBytes(2).toString('hex')}`,
    public_key: publicKey.toString('base64'),
    private_key: seal(privateKey),
  }
}
