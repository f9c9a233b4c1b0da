import type { Contract } from '#lib/contracts/contract'
import { WORKSPACE_HEADER } from '#lib/contracts/live'
import { missingPermission } from '#lib/contracts/permissions'
import { changedWork, lesserRole, roleRefusal } from '#lib/contracts/workspaces/roles'
import { AppError } from '#lib/errors'
import type { ParsedInput } from '#lib/http/parse'
import { readSender } from '#lib/http/peer'
import { type RateLimit, takeRate } from '#lib/http/rate-limit'
import type { Actor } from '#lib/operations/operation'
import { requireChosen } from '#lib/services/campaigns/client-access'
import { activeKey, actorOfApiKey, admitApiKey, isApiKey } from '#lib/services/workspaces/key-admission'
import { findMembership } from '#lib/services/workspaces/memberships'
import { requireOwnWork } from '#lib/services/workspaces/own-rows'
import { userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { actorOfToken } from '#lib/services/workspaces/tokens'

/** An actor, and the id its requests are counted under. */
export type Caller = Actor & { credential_id: string }

/** An API key belongs to one workspace and may name no other. */
function isOtherWorkspace(request: Request, { workspace_id }: Caller): boolean {
  const asked = request.headers.get(WORKSPACE_HEADER)
  return asked !== null && asked.toLowerCase() !== workspace_id
}

const readBearer = (request: Request) => request.headers.get('authorization')?.match(/^bearer +(\S+)$/i)?.[1]

/**
 * `Authorization: Bearer <token>`, the scheme in any case. A token that starts with `opn_` is an API key,
 * anything else is taken for a JWT. Missing, malformed, expired or revoked: `unauthenticated`.
 */
export async function authenticate(request: Request, now: Date): Promise<Caller> {
  const token = readBearer(request)
  const caller =
    token &&
    (await (isApiKey(token)
      ? actorOfApiKey(token, readSender(request.headers), now)
      : actorOfToken(token, now, request.headers.get(WORKSPACE_HEADER))))
  if (caller && isOtherWorkspace(request, caller)) throw new AppError('workspace_not_found')
  if (!caller) throw new AppError('unauthenticated')
  return caller
}

/** Authenticates and counts the request; `left` is what remains of the rate limit. For API keys both take one statement. */
export async function admit(
  request: Request,
  limit: RateLimit,
  now: Date,
): Promise<{ caller: Caller; left: number }> {
  const token = readBearer(request)
  if (token && isApiKey(token)) {
    const admitted = await admitApiKey(token, readSender(request.headers), limit, now)
    if (!admitted) throw new AppError('unauthenticated')
    if (isOtherWorkspace(request, admitted.caller)) throw new AppError('workspace_not_found')
    return admitted
  }
  const caller = await authenticate(request, now)
  return { caller, left: await takeRate(limit, caller, now) }
}

/** Why a valid credential may not call this; null if it may. Scope, role and permission must each allow it. */
function whyRefused(caller: Caller, contract: Contract): AppError | null {
  if (contract.jwt_only && caller.credential !== 'jwt') return new AppError('keys_need_sign_in')
  if (contract.scope !== null && !caller.scopes.includes(contract.scope)) return new AppError('forbidden')
  const message = roleRefusal(caller.role, contract)
  if (message) return new AppError('role_insufficient', { message })
  return whyKeyRefused(caller, contract)
}

function whyKeyRefused(caller: Caller, contract: Contract): AppError | null {
  const missing = missingPermission(caller.permissions, contract)
  if (!missing) return null
  const message = `This key lacks the permission ${missing.resource}:${missing.verb}.`
  return new AppError('permission_missing', { message })
}

/** 403 if a valid credential may not call this. */
export function requireScope(caller: Caller, contract: Contract): void {
  const refusal = whyRefused(caller, contract)
  if (refusal) throw refusal
}

/** 403 if the role allows the operation but not on this object; 404 if the caller may not know that it exists. */
export async function requireOwn(
  caller: Caller,
  contract: Contract,
  input: Pick<ParsedInput, 'params' | 'body'>,
): Promise<void> {
  await requireChosen(caller, input.params)
  await requireOwnWork(caller, changedWork(contract, input))
}

/**
 * The same caller some time after they were admitted, with their current rights, which are never more than before. 401 if their
 * credential was revoked meanwhile, 404 if they are no longer a member.
 */
export async function refreshCaller(caller: Caller, now: Date): Promise<Caller> {
  const { user_id, workspace_id, session_id, credential, credential_id } = caller
  if (session_id && !(await userOfSession(user_id, session_id, now))) throw new AppError('unauthenticated')
  const membership = await findMembership({ user_id, last_workspace_id: null }, { shown: workspace_id })
  const role = lesserRole(membership.role, caller.role)
  if (credential !== 'api_key') return { ...caller, role }
  const key = await activeKey(credential_id, role, null, now)
  if (!key) throw new AppError('unauthenticated')
  return { ...caller, ...key }
}

/** Whether a credential may ever call an operation. Operations it may not call are not shown to it either. */
export const isOpenTo = (caller: Caller, contract: Contract): boolean => whyRefused(caller, contract) === null
