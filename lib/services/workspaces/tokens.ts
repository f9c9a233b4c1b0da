import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose'
import { z } from 'zod'
import { SCOPES } from '#lib/contracts/contract'
import { db } from '#lib/db/client'
import type { UserModel } from '#lib/db/generated/models'
import { seal, unsealOrNull } from '#lib/db/seal'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { findMembership } from '#lib/services/workspaces/memberships'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'
import { userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { findUser, userOfIdentity } from '#lib/services/workspaces/users'

/** Only asymmetric algorithms, whose signatures a published key can verify: neither `none` nor a shared secret. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const AUDIENCE = 'opener'
const LIFETIME_MS = 12 * 3_600_000

const Issuers = z.array(
  z.object({ issuer: z.url(), audience: z.string().min(1), jwks_url: z.url().optional() }),
)

/** A key of this instance in the format of RFC 7517; `d` is its private part. */
const Key = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  d: z.string().optional(),
  kid: z.string().optional(),
  alg: z.string().optional(),
  use: z.string().optional(),
})

/**
 * The instance's signing key. If no ENCRYPTION_KEY here opens an older key, its public part still verifies tokens, and another key signs.
 */
async function signingKey() {
  const rows = await db.signingKey.findMany({ orderBy: { created_at: 'desc' } })
  for (const { kid, private_jwk } of rows) {
    const opened = unsealOrNull(private_jwk)
    if (opened !== null) return { kid, jwk: Key.parse(JSON.parse(opened)) }
  }
  return makeSigningKey()
}

/** If two processes create a key at once, both keys are valid. */
async function makeSigningKey() {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(pair.privateKey)
  const kid = crypto.randomUUID()
  const public_jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }
  await db.signingKey.create({ data: { kid, public_jwk, private_jwk: seal(JSON.stringify(jwk)) } })
  return { kid, jwk }
}

/** The JSON Web Key Set at /.well-known/jwks.json (RFC 7517). */
export async function publicKeys(): Promise<{ keys: JWK[] }> {
  const read = () => db.signingKey.findMany({ orderBy: { created_at: 'desc' } })
  const kept = await read()
  if (kept.length === 0) await makeSigningKey()
  const rows = kept.length === 0 ? await read() : kept
  return { keys: rows.map((row) => Key.parse(row.public_jwk)) }
}

/** A JWT of this instance for one user, valid for 12 hours at every endpoint, but no longer than its session, if it has one. */
export async function issueToken(userId: string, now: Date, sessionId?: string): Promise<string> {
  const { kid, jwk } = await signingKey()
  return new SignJWT(sessionId ? { sid: sessionId } : {})
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(env().APP_URL)
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + LIFETIME_MS))
    .sign(await importJWK(jwk, 'ES256'))
}

const remoteKeys = new Map<string, JWTVerifyGetKey>()

/** The keys of an external issuer, from its discovery document unless configured; jose caches them. */
async function loadKeys(issuer: string, jwksUrl: string | undefined): Promise<JWTVerifyGetKey> {
  const kept = remoteKeys.get(issuer)
  if (kept) return kept
  const url = jwksUrl ?? (await discover(issuer))
  const keys = createRemoteJWKSet(new URL(url))
  remoteKeys.set(issuer, keys)
  return keys
}

async function discover(issuer: string): Promise<string> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5_000),
  })
  return z.object({ jwks_uri: z.url() }).parse(await response.json()).jwks_uri
}

async function userOfToken(token: string, now: Date) {
  const { iss } = decodeJwt(token)
  const checks = { algorithms: ALGORITHMS, currentDate: now, requiredClaims: ['exp', 'sub'] }
  if (iss === env().APP_URL) {
    const keys = createLocalJWKSet(await publicKeys())
    const { payload } = await jwtVerify(token, keys, { ...checks, issuer: iss, audience: AUDIENCE })
    const { sub = '', sid } = payload
    if (!z.uuid().safeParse(sub).success) return null
    return typeof sid === 'string' ? userOfSession(sub, sid, now) : findUser(sub)
  }
  const trusted = Issuers.parse(JSON.parse(env().AUTH_ISSUERS)).find((candidate) => candidate.issuer === iss)
  if (!trusted) return null
  const keys = await loadKeys(trusted.issuer, trusted.jwks_url).catch(providerTrouble)
  const { payload } = await jwtVerify(token, keys, {
    ...checks,
    issuer: trusted.issuer,
    audience: trusted.audience,
  })
  return userOfIdentity({
    issuer: trusted.issuer,
    subject: payload.sub ?? '',
    email: typeof payload.email === 'string' ? payload.email : undefined,
    email_verified: payload.email_verified === true,
    name: typeof payload.name === 'string' ? payload.name : undefined,
  })
}

/** The provider is unavailable or returns an invalid discovery document: neither the caller's fault nor ours. */
function providerTrouble(cause: unknown): never {
  const message = 'This token’s identity provider is not responding correctly.'
  throw new AppError('provider_unavailable', { message, cause })
}

/** Null if the JWT is malformed, from an untrusted issuer, badly signed, for another audience, expired or not yet valid. */
export async function actorOfToken(token: string, now: Date, workspaceId?: string | null) {
  const user = await userOfToken(token, now).catch((error: unknown) => {
    // jose throws for an invalid token. Any other error, such as an unavailable database, is not the caller's fault.
    if (error instanceof Error && 'code' in error && /^ERR_J/.test(String(error.code))) return null
    throw error
  })
  if (!user) return null
  const { iss, sid, iat, auth_time } = decodeJwt(token)
  // Session ids of other issuers are not ours.
  if (iss === env().APP_URL && typeof sid === 'string') return byToken(user, { session_id: sid }, workspaceId)
  const since = typeof auth_time === 'number' ? auth_time : iat
  return byToken(user, since === undefined ? {} : { issued_at: new Date(since * 1000) }, workspaceId)
}

async function byToken(...given: Parameters<typeof toActor>) {
  const actor = await toActor(...given)
  return actor && { ...actor, by_token: true as const }
}

/** The actor for a user who is authenticated in another way. */
export async function actorOfUser(userId: string, workspaceId?: string) {
  const user = await findUser(userId)
  return user && toActor(user, {}, workspaceId)
}

async function toActor(
  user: Pick<UserModel, 'user_id' | 'email' | 'name' | 'created_at' | 'last_workspace_id'> & {
    chosen_workspace_id?: string | null
  },
  proof: { session_id?: string; issued_at?: Date },
  asked: string | null | undefined,
) {
  if (isShut(user)) return null
  const { user_id, email, name, created_at, chosen_workspace_id } = user
  const membership = await findMembership(user, { asked, chosen: chosen_workspace_id })
  return {
    user_id,
    email,
    name,
    ...membership,
    created_at,
    scopes: SCOPES,
    credential: 'jwt' as const,
    credential_id: personCredential(membership.workspace_id, user_id),
    ...proof,
  }
}

/** The key under which a person's rate is limited, separately in each workspace. */
export const personCredential = (workspaceId: string, userId: string): string => `${workspaceId}/${userId}`
