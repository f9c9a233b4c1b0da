import { importPKCS8, SignJWT } from 'jose'
import * as oauth from 'openid-client'
import { takeIdToken, toGranted } from '#lib/providers/mail-oauth/driver'
import { toRefusal } from '#lib/providers/mail-oauth/faults'
import type {
  Granted,
  GrantFault,
  GrantRefusal,
  OrganizationKey,
  OrganizationOAuth,
} from '#lib/providers/mail-oauth/port'

type Key<V> = Extract<OrganizationKey, { vendor: V }>
type Answer = ({ ok: true } & Granted) | GrantRefusal

/** Where tokens come from, and the scopes to ask for. Never taken from a key file. */
export type OrganizationEndpoint = { token_endpoint: string; needed_scopes: readonly string[] }

type Options = {
  clock?: () => Date
  timeout_seconds?: number
  /** Allows http, for a server on this machine in tests. */
  allow_http?: boolean
}

type Client = { client_id: string; auth: oauth.ClientAuth; secrets: readonly string[] }

function createAsker({ token_endpoint }: OrganizationEndpoint, client: Client, options: Options) {
  const { clock = () => new Date(), timeout_seconds = 15, allow_http = false } = options
  return async (ask: (config: oauth.Configuration) => ReturnType<typeof oauth.genericGrantRequest>) => {
    const endpoints = { issuer: new URL(token_endpoint).origin, token_endpoint }
    const config = new oauth.Configuration(endpoints, client.client_id, undefined, client.auth)
    config.timeout = timeout_seconds
    if (allow_http) oauth.allowInsecureRequests(config)
    config[oauth.customFetch] = async (url, { body, ...init }) => {
      const form = body instanceof URLSearchParams ? { body } : {}
      return takeIdToken(await fetch(url, { ...init, ...form, redirect: 'error' }), {})
    }
    try {
      return { ok: true as const, ...toGranted(await ask(config), clock()) }
    } catch (failure) {
      return toRefusal(failure, client.secrets)
    }
  }
}

const refused = (refusal: GrantRefusal, fault: GrantFault): GrantRefusal => ({ ...refusal, fault })

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const LIFETIME_SECONDS = 3_600
/** Tolerates a clock that is a little ahead of Google's. */
const LEEWAY_SECONDS = 10

/** How Google reports a delegation that does not exist, or not for these scopes or this organization. */
const NOT_DELEGATED = new Set<string>(['client', 'declined', 'admin'])

/**
 * Domain-wide delegation: a service account acts for a mailbox with a signed assertion (RFC 7523). Google answers
 * `invalid_grant` both for a wrong key and for an unknown address; a request for the key alone tells them apart.
 */
export function createGoogleOrganization(
  key: Key<'google'>,
  endpoint: OrganizationEndpoint,
  options: Options = {},
): OrganizationOAuth {
  const { clock = () => new Date() } = options
  const client = { client_id: key.account, auth: () => undefined, secrets: [key.private_key] }
  const ask = createAsker(endpoint, client, options)
  const grant = async (subject: string | null): Promise<Answer> => {
    const assertion = await sign(key, endpoint, subject, clock())
    const answer = await ask((config) => oauth.genericGrantRequest(config, JWT_BEARER, { assertion }))
    return answer.ok ? answer : { ...answer, said: answer.said.replaceAll(assertion, '[secret]') }
  }
  const check = async () => {
    const answer = await grant(null)
    if (answer.ok) return { ok: true as const }
    return answer.fault === 'unreachable' ? answer : refused(answer, 'client')
  }
  return {
    client_id: key.account,
    needed_scopes: endpoint.needed_scopes,
    check,
    async refresh(address) {
      const answer = await grant(address)
      if (answer.ok || answer.fault === 'unreachable') return answer
      const checked = await check()
      if (!checked.ok) return checked
      return refused(answer, NOT_DELEGATED.has(answer.fault) ? 'admin' : 'ended')
    },
  }
}

/** The private key is imported for one signature and not kept. */
async function sign(
  { account, key_id, private_key }: Key<'google'>,
  { token_endpoint, needed_scopes }: OrganizationEndpoint,
  subject: string | null,
  now: Date,
): Promise<string> {
  const issued = Math.floor(now.getTime() / 1_000) - LEEWAY_SECONDS
  const jwt = new SignJWT({ scope: needed_scopes.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(key_id && { kid: key_id }) })
    .setIssuer(account)
    .setAudience(token_endpoint)
    .setIssuedAt(issued)
    .setExpirationTime(issued + LIFETIME_SECONDS)
  return (subject ? jwt.setSubject(subject) : jwt).sign(await importPKCS8(private_key, 'RS256'))
}

/** App-only access: one token for all mailboxes that the application may use, so a refusal is never about a single mailbox. */
export function createMicrosoftOrganization(
  { client_id, client_secret }: Key<'microsoft'>,
  endpoint: OrganizationEndpoint,
  options: Options = {},
): OrganizationOAuth {
  const client = { client_id, auth: oauth.ClientSecretPost(client_secret), secrets: [client_secret] }
  const ask = createAsker(endpoint, client, options)
  const grant = async (): Promise<Answer> => {
    const scope = endpoint.needed_scopes.join(' ')
    const answer = await ask((config) => oauth.clientCredentialsGrant(config, { scope }))
    if (answer.ok || answer.fault === 'unreachable' || answer.fault === 'admin') return answer
    return refused(answer, 'client')
  }
  return { client_id, needed_scopes: endpoint.needed_scopes, check: grant, refresh: grant }
}

const SANDBOX_REFUSED = /^(?:unknown|suspended)\b/

/** Accepts every address except those that begin with `unknown` and `suspended`, so that the refusals in a report can be tried. */
export function createSandboxOrganization(clock: () => Date = () => new Date()): OrganizationOAuth {
  const granted = () => ({
    ok: true as const,
    access_token: 'sandbox',
    expires_at: new Date(clock().getTime() + LIFETIME_SECONDS * 1_000),
    refresh_token: null,
    scopes: null,
  })
  return {
    client_id: 'sandbox',
    needed_scopes: [],
    check: async () => granted(),
    refresh: async (address) =>
      SANDBOX_REFUSED.test(address)
        ? { ok: false, fault: 'ended', said: 'The sandbox does not know this mailbox.' }
        : granted(),
  }
}
