import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An identity provider on loopback: discovery, a JWKS, and tokens signed by it. */
export async function anIssuer() {
  const pair = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/keys') response.end(JSON.stringify({ keys: [jwk] }))
    else if (request.url === '/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** A token good for five minutes; `claims` may say otherwise. */
  async function sign(claims: JWTPayload, header: { kid?: string } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ iss: url, aud: 'opener-api', iat: now, exp: now + 300, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(pair.privateKey)
  }
  return { url, jwk, sign, close: () => server.close() }
}
