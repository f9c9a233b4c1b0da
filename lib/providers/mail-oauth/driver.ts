import { decodeJwt } from 'jose'
import * as oauth from 'openid-client'
import { z } from 'zod'
import { toRefusal } from '#lib/providers/mail-oauth/faults'
import type { Granted, GrantedAccount, MailOAuth } from '#lib/providers/mail-oauth/port'
import type { VendorSettings } from '#lib/providers/mail-oauth/vendors'

export type OAuthClient = { client_id: string; client_secret: string }

type Options = {
  clock?: () => Date
  timeout_seconds?: number
  /** Allows http, for a server on this machine in tests. */
  allow_http?: boolean
}

/** The account has no address, or the ID token is invalid. */
class NoAccount extends Error {}

/** OAuth 2 with PKCE at one vendor. Keeps no state between calls and never retries. */
export function createMailOAuth(
  settings: VendorSettings,
  client: OAuthClient,
  options: Options = {},
): MailOAuth {
  const { clock = () => new Date(), timeout_seconds = 15, allow_http = false } = options
  const { vendor, route, needed_scopes, other_scopes, servers } = settings

  /** Captures the ID token itself: Microsoft's issuer differs with each tenant, which the library cannot know here. */
  const configure = () => {
    const seen: { id_token?: string } = {}
    const config = new oauth.Configuration(
      settings.endpoints,
      client.client_id,
      undefined,
      oauth.ClientSecretPost(client.client_secret),
    )
    config.timeout = timeout_seconds
    if (allow_http) oauth.allowInsecureRequests(config)
    config[oauth.customFetch] = async (url, { body, ...init }) => {
      // Always a form: the library's other body types belong to features that are not used here.
      const form = body instanceof URLSearchParams ? { body } : {}
      return takeIdToken(await fetch(url, { ...init, ...form, redirect: 'error' }), seen)
    }
    return { config, seen }
  }

  const granted = (answer: oauth.TokenEndpointResponse) => toGranted(answer, clock())

  return {
    vendor,
    client_id: client.client_id,
    route,
    needed_scopes,
    servers,
    async authorizeUrl({ state, nonce, code_verifier, redirect_uri, login_hint }) {
      const url = oauth.buildAuthorizationUrl(configure().config, {
        ...settings.parameters,
        scope: [...other_scopes, ...needed_scopes].join(' '),
        redirect_uri,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
        ...(login_hint && { login_hint }),
      })
      return url.href
    },
    async exchange(callback, { state, nonce, code_verifier }) {
      const { config, seen } = configure()
      const secrets = [client.client_secret, code_verifier, callback.searchParams.get('code') ?? '']
      try {
        const answer = await oauth.authorizationCodeGrant(config, callback, {
          expectedState: state,
          pkceCodeVerifier: code_verifier,
        })
        const account = readAccount(seen.id_token ?? '', { settings, client, nonce, now: clock() })
        return { ok: true, account, ...granted(answer) }
      } catch (failure) {
        return toRefusal(failure, secrets)
      }
    },
    async refresh(refreshToken) {
      try {
        return { ok: true, ...granted(await oauth.refreshTokenGrant(configure().config, refreshToken)) }
      } catch (failure) {
        return toRefusal(failure, [client.client_secret, refreshToken])
      }
    },
    async revoke(refreshToken) {
      if (!settings.endpoints.revocation_endpoint) return false
      return oauth.tokenRevocation(configure().config, refreshToken).then(
        () => true,
        () => false,
      )
    },
  }
}

export const toGranted = (answer: oauth.TokenEndpointResponse, now: Date): Granted => ({
  access_token: answer.access_token,
  // Without an expiry in the answer, a short one is assumed, so that the token is renewed soon.
  expires_at: new Date(now.getTime() + (answer.expires_in ?? 600) * 1000),
  refresh_token: answer.refresh_token ?? null,
  scopes: answer.scope?.split(' ') ?? null,
})

const Answer = z.record(z.string(), z.unknown())

/** Removes the challenge header, which the library would otherwise report instead of the error in the body. */
export async function takeIdToken(response: Response, seen: { id_token?: string }): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('json')) return response
  const { id_token, ...body } = Answer.parse(await response.json())
  if (typeof id_token === 'string') seen.id_token = id_token
  const { status, headers } = response
  const kept = new Headers(headers)
  for (const name of ['content-length', 'content-encoding', 'www-authenticate']) kept.delete(name)
  return new Response(JSON.stringify(body), { status, headers: kept })
}

type Expected = { settings: VendorSettings; client: OAuthClient; nonce: string; now: Date }

/** OpenID Connect Core 3.1.3.7: the token came from the vendor itself over TLS, which stands in for checking its signature. */
function readAccount(idToken: string, { settings, client, nonce, now }: Expected): GrantedAccount {
  const claims = decodeJwt(idToken)
  const tenant = typeof claims.tid === 'string' ? claims.tid : ''
  const issuer = settings.endpoints.issuer.replace('{tenantid}', tenant)
  const isFor = [claims.aud].flat().includes(client.client_id)
  const isOver = (claims.exp ?? 0) * 1000 + 60_000 < now.getTime()
  // Google's issuer appears with and without a scheme.
  const isFrom = claims.iss === issuer || `https://${claims.iss}` === issuer
  if (!isFrom || !isFor || isOver || claims.nonce !== nonce)
    throw new NoAccount('The sign-in is not for this instance.')
  const address = [claims.email, claims.preferred_username, claims.upn].find(
    (value) => typeof value === 'string' && value.includes('@'),
  )
  const subject = tenant && typeof claims.oid === 'string' ? `${claims.oid}@${tenant}` : claims.sub
  if (typeof address !== 'string' || !subject)
    throw new NoAccount('The vendor did not say whose mailbox it is.')
  return {
    subject,
    address: address.toLowerCase(),
    name: typeof claims.name === 'string' ? claims.name : null,
  }
}
