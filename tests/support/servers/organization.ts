import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import {
  createGoogleOrganization,
  createMicrosoftOrganization,
  createSandboxOrganization,
} from '#lib/providers/mail-oauth/organization'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import {
  type FindOrganization,
  organizationEndpoint,
} from '#lib/services/senders/grants/organizations/driver'

export const APP = {
  tenant_id: 'company.onmicrosoft.com',
  client_id: '6f1d6d0c-4a2b-4a52-9c0e-8d4b7a3e5f10',
  client_secret: 'secret-of-the-application',
}
const ACCOUNT = 'opener@project.iam.gserviceaccount.com'

type Refusal = { status: number; body: object }
const refusal = (status: number, error: string, error_description: string, more: object = {}): Refusal => ({
  status,
  body: { error, error_description, ...more },
})
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A key file as Google issues it. Its token_uri points to somebody else: nobody may send a request there. */
export async function aKeyFile(keyId: string = randomUUID()) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const private_key = await exportPKCS8(privateKey)
  const fields = {
    type: 'service_account',
    client_id: '104857600000000000001',
    client_email: ACCOUNT,
    private_key_id: keyId,
    private_key,
    token_uri: 'http://127.0.0.1:9/token',
  }
  return { text: JSON.stringify(fields), fields, publicKey, key_id: keyId }
}
type KeyFile = Awaited<ReturnType<typeof aKeyFile>>

/**
 * The token endpoints of Google and of Microsoft for whole organizations, on loopback: assertions signed by a trusted key, for
 * the scopes that were delegated and users that exist; client credentials with a valid secret.
 */
export async function anOrganizationServer() {
  const state = {
    keys: new Map<string, KeyFile['publicKey']>(),
    secrets: new Set([APP.client_secret]),
    /** The scopes that the administrator delegated. */
    delegated: new Set(organizationEndpoint('google').needed_scopes),
    /** The organization's domains. */
    domains: new Set(['company.test', 'example.com']),
    /** Addresses that do not exist or are suspended. */
    unknown: new Set<string>(),
    down: false,
  }
  const live = { access: new Set<string>() }
  const calls: { subject: string | null }[] = []

  const issue = () => {
    const access_token = `access-${randomUUID()}`
    live.access.add(access_token)
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: 3_599 } }
  }

  async function byAssertion(form: URLSearchParams): Promise<Refusal> {
    const assertion = form.get('assertion') ?? ''
    const verified = await jwtVerify(
      assertion,
      ({ kid }) => {
        const known = state.keys.get(kid ?? '')
        if (known) return known
        throw new Error('unknown key')
      },
      { issuer: ACCOUNT, audience: `${url}/token` },
    ).catch(() => null)
    if (!verified) return refusal(400, 'invalid_grant', 'Invalid JWT Signature.')
    const { sub = null, scope } = verified.payload
    calls.push({ subject: sub })
    if (sub === null) return issue()
    const isAllowed = String(scope)
      .split(' ')
      .every((one) => state.delegated.has(one))
    if (!isAllowed || !state.domains.has(sub.split('@')[1] ?? ''))
      return refusal(
        401,
        'unauthorized_client',
        'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
      )
    if (state.unknown.has(sub)) return refusal(400, 'invalid_grant', 'Invalid email or User ID')
    return issue()
  }

  function bySecret(form: URLSearchParams): Refusal {
    calls.push({ subject: null })
    if (form.get('client_id') !== APP.client_id)
      return refusal(400, 'unauthorized_client', 'AADSTS700016', { error_codes: [700016] })
    const secret = form.get('client_secret') ?? ''
    if (!state.secrets.has(secret))
      // Vendors repeat in their error messages what they were sent.
      return refusal(401, 'invalid_client', `AADSTS7000215: Invalid client secret ${secret} provided.`, {
        error_codes: [7000215],
      })
    return form.get('scope') === 'https://graph.microsoft.com/.default'
      ? issue()
      : refusal(400, 'invalid_scope', 'AADSTS70011')
  }

  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    if (state.down) return void request.socket.destroy()
    const isGoogle = form.get('grant_type') === JWT_BEARER
    const { status, body } = isGoogle ? await byAssertion(form) : bySecret(form)
    const challenge = status === 401 && { 'www-authenticate': 'Bearer realm="tokens", error="refused"' }
    response.writeHead(status, { 'content-type': 'application/json', ...challenge }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const find: FindOrganization = (key) => {
    if (key.vendor === 'sandbox') return createSandboxOrganization()
    const { needed_scopes } = organizationEndpoint(key.vendor)
    const endpoint = { needed_scopes, token_endpoint: `${url}/token` }
    return key.vendor === 'google'
      ? createGoogleOrganization(key, endpoint, { allow_http: true })
      : createMicrosoftOrganization(key, endpoint, { allow_http: true })
  }
  const vendors: Vendors = (_, key) => (key ? find(key) : null)
  return {
    state,
    live,
    calls,
    find,
    vendors,
    /** From now on Google accepts what this key signed. */
    trust: ({ key_id, publicKey }: KeyFile) => void state.keys.set(key_id, publicKey),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
export type OrganizationServer = Awaited<ReturnType<typeof anOrganizationServer>>
