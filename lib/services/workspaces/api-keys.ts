import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { ApiKey, type CreateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db, pool } from '#lib/db/client'
import type { Tier } from '#lib/db/generated/enums'
import { prepared } from '#lib/db/prepared'
import { keyExpiry } from '#lib/domain/calendar/key-expiry'
import { AppError, invalid } from '#lib/errors'
import { TAKE_TOKEN } from '#lib/services/instance/rate-limits'
import { isShut } from '#lib/services/workspaces/sign-in/demo-account'
import { tierLimit } from '#lib/services/workspaces/tiers'
import { userTimezone } from '#lib/services/workspaces/users'

const Scopes = ApiKey.shape.scopes

/** Whatever starts like this is an API key; every other token is a JWT. */
export const API_KEY_PREFIX = 'opn_'
const USE_RECORDED_EVERY_MS = 60_000

/** 256 random bits need no slow hash: SHA-256 finds the key by one index look-up. */
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex')

const active = (userId: string, now: Date) => ({
  user_id: userId,
  revoked_at: null,
  OR: [{ expires_at: null }, { expires_at: { gt: now } }],
})

export async function listApiKeys(userId: string, now: Date) {
  const [owner, rows] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { user_id: userId } }),
    db.apiKey.findMany({
      where: active(userId, now),
      orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    }),
  ])
  const keys = rows.map((row) => ({ ...row, scopes: Scopes.parse(row.scopes) }))
  return { keys, count: keys.length, tier_limit: tierLimit(owner) }
}

/** The raw key is in the answer and nowhere else. 422 for an end that has passed, 403 once the tier's number of active keys is reached. */
export async function createApiKey(userId: string, fields: z.output<typeof CreateApiKey.body>, now: Date) {
  const expires_at =
    fields.expires === undefined ? (fields.expires_at ?? null) : await endOfKey(userId, fields.expires, now)
  if (expires_at && expires_at <= now) throw invalid(['body', 'expires_at'], 'The end lies in the past.')
  const key = `${API_KEY_PREFIX}live_${randomBytes(32).toString('base64url')}`
  return db.$transaction(async (tx) => {
    // Two creations at once would both see room for one; the owner's row makes them take turns.
    await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
    const owner = await tx.user.findUniqueOrThrow({ where: { user_id: userId } })
    const count = await tx.apiKey.count({ where: active(userId, now) })
    if (count >= tierLimit(owner)) throw new AppError('tier_limit_reached')
    const row = await tx.apiKey.create({
      data: {
        user_id: userId,
        name: fields.name,
        scopes: fields.scopes,
        expires_at,
        key_prefix: key.slice(0, 12),
        key_digest: digestOf(key),
        created_at: now,
      },
    })
    return { ...row, scopes: Scopes.parse(row.scopes), key }
  })
}

/** When a key ends by what its owner chose in the form: see keyExpiry. */
async function endOfKey(userId: string, choice: string, now: Date): Promise<Date | null> {
  const end = keyExpiry(choice, now, await userTimezone(userId))
  if (end === undefined) throw invalid(['body', 'expires'], 'Choose a day that is still to come.')
  return end
}

export async function revokeApiKey(userId: string, id: string, now: Date): Promise<void> {
  const { count } = await db.apiKey.updateMany({
    where: { id, user_id: userId, revoked_at: null },
    data: { revoked_at: now },
  })
  if (count === 0) throw new AppError('api_key_not_found')
}

type KeyOwner = {
  id: string
  scopes: ApiKey['scopes']
  user_id: string
  email: string
  name: string
  tier: Tier
  created_at: Date
  key_prefix: string
  is_recent: boolean
}

/** The key with digest $1 and its owner, at $2; $3: uses since then are recorded already. */
const KEY_OWNER = `SELECT k.id, k.scopes, u.user_id, u.email, u.name, u.tier, u.created_at, k.key_prefix,
    coalesce(k.last_used_at >= $3, false) AS is_recent
  FROM api_keys k JOIN users u USING (user_id)
  WHERE k.key_digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`

const asked = (key: string, now: Date) => [
  digestOf(key),
  now,
  new Date(now.getTime() - USE_RECORDED_EVERY_MS),
]

async function actorOf({ id, is_recent, ...owner }: KeyOwner, now: Date) {
  if (!is_recent) await db.apiKey.updateMany({ where: { id }, data: { last_used_at: now } })
  return { ...owner, credential: 'api_key' as const, credential_id: id }
}

/** Null where the key is unknown, revoked or expired, or of an account that is shut. */
export async function actorOfApiKey(key: string, now: Date) {
  const { rows } = await pool().query<KeyOwner>(prepared(KEY_OWNER, asked(key, now)))
  return rows[0] && !isShut(rows[0]) ? actorOf(rows[0], now) : null
}

/** The same, and takes a token of the key's bucket. One statement, since every request begins with it. */
export async function admitApiKey(key: string, toll: { rate: string; per_minute: number }, now: Date) {
  const { rows } = await pool().query<KeyOwner & { tokens: number }>(
    prepared(
      `WITH k AS (${KEY_OWNER}),
       taken AS (INSERT INTO rate_limits AS r (bucket, tokens, updated_at)
         SELECT $4 || ':' || k.id, $5::float8 - 1, $2 FROM k ${TAKE_TOKEN})
       SELECT k.*, taken.tokens FROM k, taken`,
      [...asked(key, now), toll.rate, toll.per_minute],
    ),
  )
  if (!rows[0] || isShut(rows[0])) return null
  const { tokens, ...owner } = rows[0]
  return { caller: await actorOf(owner, now), left: tokens }
}

/** Whether a key that was seen before may still act. */
export async function activeKey(id: string, now: Date) {
  const key = await db.apiKey.findFirst({
    where: { id, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: now } }] },
  })
  return key && { key_prefix: key.key_prefix, scopes: Scopes.parse(key.scopes) }
}
