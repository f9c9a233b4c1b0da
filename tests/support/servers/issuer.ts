import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/**
 * An identity provider on loopback: discovery, a JWKS, tokens signed by it, and OpenID Connect's code flow, in which
 * every visitor is signed in at once as `person`.
 */
export async function anIssuer(person: JWTPayload = {}) {
  const pair = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const nonces = new Map<string, string>()

  /** A token valid for five minutes; `claims` may override that. */
  async function sign(claims: JWTPayload, header: { kid?: string } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: url, aud: 'opener-api', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(pair.privateKey)
  }

  function authorize(query: URLSearchParams): string {
    const code = crypto.randomUUID()
    nonces.set(code, query.get('nonce') ?? '')
    const back = new URL(query.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return back.href
  }

  async function exchange(request: IncomingMessage): Promise<object> {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const basic = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString()
    const nonce = nonces.get(form.get('code') ?? '')
    if (nonce === undefined || !form.get('code_verifier')) return { error: 'invalid_grant' }
    const id_token = await sign({ ...person, aud: basic.split(':')[0] || 'unknown', nonce })
    return { access_token: 'unused', token_type: 'Bearer', expires_in: 300, id_token }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const say = (body: object) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (pathname === '/keys') say({ keys: [jwk] })
    else if (pathname === '/token') say(await exchange(request))
    else if (pathname === '/authorize') response.writeHead(302, { location: authorize(searchParams) }).end()
    else if (pathname === '/.well-known/openid-configuration')
      say({
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, jwk, sign, close: () => server.close() }
}
