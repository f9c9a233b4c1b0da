import type { Contract } from '#lib/contracts/contract'
import { AppError } from '#lib/errors'
import type { Toll } from '#lib/http/rate-limit'
import type { Actor } from '#lib/operations/operation'
import { takeToken } from '#lib/services/instance/rate-limits'
import { API_KEY_PREFIX, actorOfApiKey, admitApiKey } from '#lib/services/workspaces/api-keys'
import { actorOfToken } from '#lib/services/workspaces/tokens'

/** An actor and the name under which its rate is counted. */
export type Caller = Actor & { credential_id: string }

const bearerOf = (request: Request) => request.headers.get('authorization')?.match(/^bearer +(\S+)$/i)?.[1]

/**
 * `Authorization: Bearer <token>`, the scheme in any case. A token that starts with `opn_` is an API key,
 * anything else is taken for a JWT. Missing, malformed, expired or revoked: `unauthenticated`.
 */
export async function authenticate(request: Request, now: Date): Promise<Caller> {
  const token = bearerOf(request)
  const caller =
    token && (await (token.startsWith(API_KEY_PREFIX) ? actorOfApiKey(token, now) : actorOfToken(token, now)))
  if (!caller) throw new AppError('unauthenticated')
  return caller
}

/** Authenticates and pays the toll, of which `left` says what remains: for keys, both in one statement. */
export async function admit(
  request: Request,
  toll: Toll,
  now: Date,
): Promise<{ caller: Caller; left: number }> {
  const token = bearerOf(request)
  if (token?.startsWith(API_KEY_PREFIX)) {
    const admitted = await admitApiKey(token, toll, now)
    if (!admitted) throw new AppError('unauthenticated')
    return admitted
  }
  const caller = await authenticate(request, now)
  return { caller, left: await takeToken(`${toll.rate}:${caller.credential_id}`, toll.per_minute, now) }
}

/** 403 where the credential is good but not for this. */
export function requireScope(caller: Caller, contract: Contract): void {
  if (contract.jwt_only && caller.credential !== 'jwt') throw new AppError('keys_need_sign_in')
  if (contract.scope !== null && !caller.scopes.includes(contract.scope)) throw new AppError('forbidden')
}
