import { createHash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { db } from '#lib/db/client'
import { seal, unseal } from '#lib/db/seal'
import { AppError } from '#lib/errors'

const KINDS = ['confirmation', 'upload'] as const
const LIFETIME_MS = 10 * 60_000

const Grant = z.object({
  kind: z.enum(KINDS),
  grant_id: z.uuid(),
  workspace_id: z.uuid(),
  user_id: z.uuid(),
  /** The API key that made the call; null for a JWT. */
  api_key_id: z.uuid().nullable(),
  /** The session of the JWT that made the call; absent if it has none. */
  session_id: z.uuid().optional(),
  tool: z.string(),
  /** The arguments of the call. A confirmation holds only their hash, since the arguments are sent again. */
  arguments: z.record(z.string(), z.json()).nullable(),
  arguments_hash: z.string(),
  /** For a confirmation: a hash of everything it covers besides the arguments. */
  content_hash: z.string().nullable(),
  expires_at: z.number(),
})
type Grant = z.output<typeof Grant>
type Asked = Pick<
  Grant,
  'kind' | 'workspace_id' | 'user_id' | 'api_key_id' | 'session_id' | 'tool' | 'content_hash'
> & {
  arguments: Record<string, unknown>
}

/** Independent of the order of arguments. */
export const hashArguments = (value: unknown) =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('base64url')

/** A token that permits one user one call of one tool with these arguments, within ten minutes. */
export function issueGrant(asked: Asked, now: Date): { token: string; expires_at: Date } {
  const expires_at = new Date(now.getTime() + LIFETIME_MS)
  const grant = {
    ...asked,
    grant_id: randomUUID(),
    arguments: asked.kind === 'upload' ? asked.arguments : null,
    arguments_hash: hashArguments(asked.arguments),
    expires_at: expires_at.getTime(),
  }
  return { token: seal(JSON.stringify(grant)), expires_at }
}

function readGrant(token: string): Grant | null {
  try {
    return Grant.parse(JSON.parse(unseal(token)))
  } catch {
    // A foreign or altered token, or one sealed for another purpose.
    return null
  }
}

/** Uses up a grant; `grant_invalid` if it is unknown, of another kind, expired or already used. */
export async function redeemGrant(token: string, kind: Grant['kind'], now: Date): Promise<Grant> {
  const grant = readGrant(token)
  if (!grant || grant.kind !== kind || grant.expires_at <= now.getTime()) throw new AppError('grant_invalid')
  const row = { grant_id: grant.grant_id, expires_at: new Date(grant.expires_at) }
  const { count } = await db.usedGrant.createMany({ data: [row], skipDuplicates: true })
  if (count === 0) throw new AppError('grant_invalid')
  await db.usedGrant.deleteMany({ where: { expires_at: { lt: now } } })
  return grant
}

/**
 * Redeems a confirmation; `grant_invalid` if it was given for something else, and false if what it covers was changed since. In both cases
 * it is not used up.
 */
export async function redeemConfirmation(
  token: string,
  asked: {
    workspace_id: string
    user_id: string
    tool: string
    arguments: Record<string, unknown>
    /** Called only if the token is otherwise valid. */
    contentNow: () => Promise<string>
  },
  now: Date,
): Promise<boolean> {
  const grant = readGrant(token)
  const isSame =
    grant?.workspace_id === asked.workspace_id &&
    grant.user_id === asked.user_id &&
    grant.tool === asked.tool &&
    grant.arguments_hash === hashArguments(asked.arguments)
  if (!isSame || grant.kind !== 'confirmation' || grant.expires_at <= now.getTime())
    throw new AppError('grant_invalid')
  if (grant.content_hash !== (await asked.contentNow())) return false
  await redeemGrant(token, 'confirmation', now)
  return true
}
