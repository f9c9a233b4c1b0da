import { createHash } from 'node:crypto'
import type { Permissions } from '#lib/contracts/permissions'
import { ApiKey } from '#lib/contracts/workspaces/api-keys'
import { db, pool } from '#lib/db/client'
import type { Tier, WorkspaceRole } from '#lib/db/generated/enums'
import { prepared } from '#lib/db/prepared'
import { networkPlaceLabel } from '#lib/domain/text/network-place'
import { API_KEY_PREFIX, isWellFormedKey } from '#lib/domain/workspaces/key-format'
import { roleOfKey } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'
import { networksContain } from '#lib/services/instance/networks'
import { TAKE_TOKEN } from '#lib/services/instance/rate-limits'
import { JOIN_PAYER, TIER } from '#lib/services/workspaces/plans'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'

const { scopes: Scopes, permissions: KeptPermissions } = ApiKey.shape

const USE_RECORDED_EVERY_MS = 60_000

/** 256 random bits need no slow hash: the SHA-256 digest finds the key by one index look-up. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Every other token is a JWT. */
export const isApiKey = (token: string): boolean => token.startsWith(API_KEY_PREFIX)

type KeyOwner = {
  id: string
  scopes: ApiKey['scopes']
  permissions: Permissions | null
  allowed_networks: string[]
  user_id: string
  workspace_id: string
  workspace_name: string
  role: WorkspaceRole | null
  maker_role: WorkspaceRole
  email: string
  name: string
  tier: Tier
  created_at: Date
  key_prefix: string
  is_recent: boolean
}

/**
 * The key with digest $1 that is valid at $2, its maker and workspace. If its maker is not a member any more, the key gives no access. $3:
 * uses since then are recorded already.
 */
const KEY_OWNER = `SELECT k.id, k.scopes, k.permissions, k.allowed_networks, u.user_id, u.email, u.name, ${TIER} AS tier,
    u.created_at, w.workspace_id, w.name AS workspace_name, k.role, m.role AS maker_role, k.key_prefix,
    coalesce(k.last_used_at >= $3, false) AS is_recent
  FROM api_keys k JOIN members m USING (workspace_id, user_id) JOIN users u USING (user_id) JOIN workspaces w USING (workspace_id)
    ${JOIN_PAYER}
  WHERE k.key_digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`

const asked = (key: string, now: Date) => [hashKey(key), now, new Date(now.getTime() - USE_RECORDED_EVERY_MS)]

function requireNetwork(allowed: readonly string[], sender: string): void {
  if (allowed.length > 0 && !networksContain(allowed)(sender)) throw new AppError('network_not_allowed')
}

async function toActor(
  { id, is_recent, allowed_networks, role, maker_role, ...owner }: KeyOwner,
  sender: string,
  now: Date,
) {
  requireNetwork(allowed_networks, sender)
  if (!is_recent)
    await db.apiKey.updateMany({
      where: { id },
      data: { last_used_at: now, last_used_place: networkPlaceLabel(sender) },
    })
  return {
    ...owner,
    role: roleOfKey(maker_role, role),
    credential: 'api_key' as const,
    credential_id: id,
  }
}

/** Null if the key is malformed, unknown, revoked or expired, or belongs to a closed account. `sender` is a network address. */
export async function actorOfApiKey(key: string, sender: string, now: Date) {
  if (!isWellFormedKey(key)) return null
  const { rows } = await pool().query<KeyOwner>(prepared(KEY_OWNER, asked(key, now)))
  return rows[0] && !isShut(rows[0]) ? toActor(rows[0], sender, now) : null
}

/**
 * `actorOfApiKey`, and takes a token from the buckets of the key and of its workspace. One statement, since every request begins with it.
 */
export async function admitApiKey(
  key: string,
  sender: string,
  limit: { rate: string; per_minute: number; workspace_per_minute: number },
  now: Date,
) {
  if (!isWellFormedKey(key)) return null
  const { rows } = await pool().query<KeyOwner & { tokens: number }>(
    prepared(
      `WITH k AS (${KEY_OWNER}),
       taken AS (INSERT INTO rate_limits AS r (bucket, tokens, updated_at)
         SELECT $4 || ':' || k.id, $5::float8 - 1, $2 FROM k ${TAKE_TOKEN}),
       shared AS (INSERT INTO rate_limits AS r (bucket, tokens, updated_at)
         SELECT $4 || ':' || k.workspace_id, $6::float8 - 1, $2 FROM k, taken WHERE taken.tokens >= 0 ${TAKE_TOKEN})
       SELECT k.*, least(taken.tokens, (SELECT tokens FROM shared)) AS tokens FROM k, taken`,
      [...asked(key, now), limit.rate, limit.per_minute, limit.workspace_per_minute],
    ),
  )
  if (!rows[0] || isShut(rows[0])) return null
  const { tokens, ...owner } = rows[0]
  return { caller: await toActor(owner, sender, now), left: tokens }
}

/**
 * Whether a key admitted earlier may still act, and from `sender` (null if that was checked before), with its current rights. `maker`: the
 * role of its maker.
 */
export async function activeKey(id: string, maker: WorkspaceRole, sender: string | null, now: Date) {
  const key = await db.apiKey.findFirst({
    where: { id, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] },
  })
  if (!key) return null
  if (sender !== null) requireNetwork(key.allowed_networks, sender)
  const { key_prefix, role, scopes, permissions } = key
  return {
    key_prefix,
    role: roleOfKey(maker, role),
    scopes: Scopes.parse(scopes),
    permissions: KeptPermissions.parse(permissions),
  }
}
