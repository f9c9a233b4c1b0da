import type { Contract } from '#lib/contracts/contract'
import { AppError } from '#lib/errors'
import type { Actor } from '#lib/operations/operation'
import { API_KEY_PREFIX, actorOfApiKey } from '#lib/services/api-keys'
import { actorOfToken } from '#lib/services/tokens'

/** An actor and the name under which its rate is counted. */
export type Caller = Actor & { credential_id: string }

/**
 * `Authorization: Bearer <token>`, the scheme in any case. A token that starts with `opn_` is an API key,
 * anything else is taken for a JWT. Missing, malformed, expired or revoked: `unauthenticated`.
 */
export async function authenticate(request: Request, now: Date): Promise<Caller> {
  const token = request.headers.get('authorization')?.match(/^bearer +(\S+)$/i)?.[1]
  const caller =
    token && (await (token.startsWith(API_KEY_PREFIX) ? actorOfApiKey(token, now) : actorOfToken(token, now)))
  if (!caller) throw new AppError('unauthenticated')
  return caller
}

/** 403 where the credential is good but not for this. */
export function requireScope(caller: Caller, contract: Contract): void {
  if (contract.jwt_only && caller.credential !== 'jwt') throw new AppError('keys_need_sign_in')
  if (contract.scope !== null && !caller.scopes.includes(contract.scope)) throw new AppError('forbidden')
}
