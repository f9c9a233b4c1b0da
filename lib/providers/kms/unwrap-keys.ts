import { AwsClient } from 'aws4fetch'
import { z } from 'zod'

type Environment = Record<string, string | undefined>
type Unwrap = (wrapped: string) => Promise<string>
type Outside = { fetch: typeof fetch; now: () => Date }

const KEY_BYTES = 32
const TIMEOUT_MS = 10_000

/** An unwrapped key: 32 bytes in base64. */
const isPlain = (text: string): boolean => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text
}

function need(env: Environment, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`ENCRYPTION_KMS=${env.ENCRYPTION_KMS} needs ${name}.`)
  return value
}

async function readAnswer(response: Response, who: string): Promise<unknown> {
  // The body of a refusal may repeat the request, so it is not read.
  if (!response.ok) throw new Error(`${who} did not unwrap the key: it answered ${response.status}.`)
  return response.json()
}

const VaultAnswer = z.object({ data: z.object({ plaintext: z.string() }) })

/** The transit engine of HashiCorp Vault and of OpenBao: POST /v1/<mount>/decrypt/<name>. */
function vault(env: Environment, { fetch }: Outside): Unwrap {
  const mount = env.VAULT_TRANSIT_MOUNT || 'transit'
  const name = encodeURIComponent(need(env, 'VAULT_TRANSIT_KEY'))
  const url = new URL(`/v1/${mount}/decrypt/${name}`, need(env, 'VAULT_ADDR'))
  const headers = {
    'content-type': 'application/json',
    'x-vault-token': need(env, 'VAULT_TOKEN'),
    ...(env.VAULT_NAMESPACE && { 'x-vault-namespace': env.VAULT_NAMESPACE }),
  }
  return async (ciphertext) => {
    const body = JSON.stringify({ ciphertext })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' })
    return VaultAnswer.parse(await readAnswer(response, 'Vault')).data.plaintext
  }
}

const AwsAnswer = z.object({ Plaintext: z.string() })

/** AWS KMS: TrentService.Decrypt. The ciphertext names its key; AWS_KMS_KEY_ID restricts it to one. */
function aws(env: Environment, { fetch, now }: Outside): Unwrap {
  const region = need(env, 'AWS_REGION')
  const client = new AwsClient({
    accessKeyId: need(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: need(env, 'AWS_SECRET_ACCESS_KEY'),
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    service: 'kms',
    region,
  })
  const url = env.AWS_KMS_ENDPOINT || `https://kms.${region}.amazonaws.com/`
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'TrentService.Decrypt' }
  return async (ciphertext) => {
    const body = JSON.stringify({
      CiphertextBlob: ciphertext,
      ...(env.AWS_KMS_KEY_ID && { KeyId: env.AWS_KMS_KEY_ID }),
    })
    const datetime = `${now().toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`
    const signed = await client.sign(url, {
      method: 'POST',
      headers,
      body,
      aws: { datetime, allHeaders: true },
    })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(signed, { signal, redirect: 'error' })
    return AwsAnswer.parse(await readAnswer(response, 'AWS KMS')).Plaintext
  }
}

const KINDS: Record<string, (env: Environment, outside: Outside) => Unwrap> = { vault, aws }

/** Unwraps each key in its place; one that is not wrapped stays as it is. */
async function unwrapAll(list: string, unwrap: Unwrap): Promise<string> {
  const keys = list.split(',').map((key) => key.trim())
  const plain = await Promise.all(
    keys.filter(Boolean).map(async (key) => {
      const opened = isPlain(key) ? key : await unwrap(key)
      if (!isPlain(opened)) throw new Error('What was unwrapped is no key: 32 bytes in base64 are.')
      return opened
    }),
  )
  return plain.join(',')
}

/**
 * Replaces ENCRYPTION_KEY and ENCRYPTION_KEYS_OLD, wrapped under ENCRYPTION_KMS, by the plain keys, in the memory of this
 * process only: its parent and its children see the wrapped ones. Called once at start.
 */
export async function unwrapKeys(env: Environment, outside: Outside): Promise<void> {
  if (!env.ENCRYPTION_KMS) return
  const kind = KINDS[env.ENCRYPTION_KMS]
  if (!kind) throw new Error(`ENCRYPTION_KMS is "${env.ENCRYPTION_KMS}": vault and aws are known.`)
  const unwrap = kind(env, outside)
  const [current, old] = await Promise.all([
    unwrapAll(need(env, 'ENCRYPTION_KEY'), unwrap),
    unwrapAll(env.ENCRYPTION_KEYS_OLD ?? '', unwrap),
  ])
  env.ENCRYPTION_KEY = current
  env.ENCRYPTION_KEYS_OLD = old
}
