import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { unwrapKeys } from '#lib/providers/kms/unwrap-keys'
import { environmentAsGiven, openKeys } from '#lib/services/instance/open-keys'
import { sha256, signatureOf } from '#tests/support/servers/aws-signature'

const KEY = Buffer.alloc(32, 1).toString('base64')
const OLDER = Buffer.alloc(32, 2).toString('base64')
const BY = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const NOW = new Date('2015-08-30T12:36:00Z')

type Asked = { url: string; headers: IncomingMessage['headers']; body: string }
let asked: Asked[] = []
let status = 200

/** Answers as Vault and AWS KMS do: a wrapped key is the key with a word in front. */
const kms = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  asked.push({ url: `${request.method} ${request.url}`, headers: request.headers, body })
  const { ciphertext, CiphertextBlob } = JSON.parse(body)
  const isVault = ciphertext !== undefined
  const plain = String(isVault ? ciphertext : CiphertextBlob).replace(/^.*[!:]/, '')
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(isVault ? { data: { plaintext: plain } } : { Plaintext: plain }))
})
let base = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => kms.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(kms.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => kms.close(resolve)))
beforeEach(() => {
  asked = []
  status = 200
})

const unwrap = (env: Record<string, string>) => unwrapKeys(env, { fetch, now: () => NOW })
const withVault = (more: Record<string, string> = {}) => ({
  ENCRYPTION_KMS: 'vault',
  ENCRYPTION_KEY: `vault:v1:${KEY}`,
  VAULT_ADDR: base,
  VAULT_TOKEN: 's.token',
  VAULT_TRANSIT_KEY: 'opener',
  ...more,
})
const withAws = (more: Record<string, string> = {}) => ({
  ENCRYPTION_KMS: 'aws',
  ENCRYPTION_KEY: `AQICAHh!${KEY}`,
  AWS_REGION: 'eu-north-1',
  AWS_KMS_ENDPOINT: `${base}/`,
  AWS_ACCESS_KEY_ID: BY.access_key_id,
  AWS_SECRET_ACCESS_KEY: BY.secret_access_key,
  ...more,
})

test('Vault unwraps the key and those before it; what stands there as it is stays', async () => {
  const env = withVault({ ENCRYPTION_KEYS_OLD: `${OLDER}, vault:v2:${KEY}`, VAULT_NAMESPACE: 'team' })
  await unwrap(env)
  expect(env).toMatchObject({ ENCRYPTION_KEY: KEY, ENCRYPTION_KEYS_OLD: `${OLDER},${KEY}` })
  expect(asked).toHaveLength(2)
  for (const { url, headers } of asked) {
    expect(url).toBe('POST /v1/transit/decrypt/opener')
    expect(headers).toMatchObject({ 'x-vault-token': 's.token', 'x-vault-namespace': 'team' })
  }
  // A second start in the same process sends no request.
  await unwrap(env)
  expect(asked).toHaveLength(2)
})

test('AWS KMS unwraps the key by a request that is signed', async () => {
  const env = withAws({ AWS_SESSION_TOKEN: 'session', AWS_KMS_KEY_ID: 'alias/opener' })
  await unwrap(env)
  expect(env.ENCRYPTION_KEY).toBe(KEY)
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = asked
  expect([url, JSON.parse(body)]).toEqual([
    'POST /',
    { CiphertextBlob: `AQICAHh!${KEY}`, KeyId: 'alias/opener' },
  ])
  expect(headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'TrentService.Decrypt',
    'x-amz-security-token': 'session',
    'x-amz-date': '20150830T123600Z',
  })
  const names = 'content-type;host;x-amz-date;x-amz-security-token;x-amz-target'
  const scope = '20150830/eu-north-1/kms/aws4_request'
  const signed = names.split(';').map((name): [string, string] => [name, `${headers[name]}`])
  const signature = signatureOf(
    { method: 'POST', path: '/', query: '', signed, payload: sha256(body), scope },
    BY,
  )
  expect(headers.authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  )
})

test('without a KMS nothing is asked and nothing changes', async () => {
  const env = { ENCRYPTION_KEY: 'anything' }
  await unwrap(env)
  expect([env, asked]).toEqual([{ ENCRYPTION_KEY: 'anything' }, []])
})

test.each([
  ['a refusal', () => withVault(), 403, 'Vault did not unwrap the key: it answered 403.'],
  ['a refusal of AWS', () => withAws(), 400, 'AWS KMS did not unwrap the key: it answered 400.'],
  ['what is no key', () => withVault({ ENCRYPTION_KEY: 'vault:v1:c2hvcnQ=' }), 200, 'is no key'],
  ['a KMS that is not known', () => withVault({ ENCRYPTION_KMS: 'gcp' }), 200, 'vault and aws are known'],
  ['a setting that is missing', () => withVault({ VAULT_TOKEN: '' }), 200, 'needs VAULT_TOKEN'],
])('%s stops the start and names no secret', async (_, given, answer, said) => {
  status = answer
  const env = given()
  const trouble = await unwrap(env).catch((error: Error) => error.message)
  expect(trouble).toContain(said)
  expect(trouble).not.toContain(KEY)
  expect(trouble).not.toContain('s.token')
})

test('a process that is begun with the environment of this one is given its keys wrapped', async () => {
  const wrapped = { ENCRYPTION_KEY: `vault:v1:${KEY}`, ENCRYPTION_KEYS_OLD: `vault:v1:${OLDER}` }
  for (const [name, value] of Object.entries(withVault(wrapped))) vi.stubEnv(name, value)
  try {
    await openKeys()
    await openKeys()
    expect(process.env).toMatchObject({ ENCRYPTION_KEY: KEY, ENCRYPTION_KEYS_OLD: OLDER })
    expect(environmentAsGiven()).toEqual({ ...process.env, ...wrapped })
  } finally {
    vi.unstubAllEnvs()
  }
})
