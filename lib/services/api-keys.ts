import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { CreateApiKey } from '#lib/contracts/api-keys'
import type { Scope } from '#lib/contracts/contract'
import { db } from '#lib/db/client'
import type { Tier } from '#lib/db/generated/enums'
import { AppError } from '#lib/errors'

/** Whatever starts like this is an API key; every other token is a JWT. */
export const API_KEY_PREFIX = 'opn_'
const TIER_LIMITS: Record<Tier, number> = { free: 2, starter: 5, growth: 20, scale: 100 }
const USE_RECORDED_EVERY_MS = 60_000

/** 256 random bits need no slow hash: SHA-256 finds the key by one index look-up. */
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex')

const active = (userId: string, now: Date) => ({
  user_id: userId,
  revoked_at: null,
  OR: [{ expires_at: null }, { expires_at: { gt: now } }],
})

export async function listApiKeys(user: { user_id: string; tier: Tier }, now: Date) {
  const rows = await db.apiKey.findMany({
    where: active(user.user_id, now),
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  })
  const keys = rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }))
  return { keys, count: keys.length, tier_limit: TIER_LIMITS[user.tier] }
}

/** The raw key is in the answer and nowhere else. 403 once the tier's number of active keys is reached. */
export async function createApiKey(
  user: { user_id: string; tier: Tier },
  fields: z.output<typeof CreateApiKey.body>,
  now: Date,
) {
  const key = `${API_KEY_PREFIX}live_${randomBytes(32).toString('base64url')}`
  return db.$transaction(async (tx) => {
    // Two creations at once would both see room for one; the owner's row makes them take turns.
    await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${user.user_id}::uuid FOR UPDATE`
    const count = await tx.apiKey.count({ where: active(user.user_id, now) })
    if (count >= TIER_LIMITS[user.tier]) throw new AppError('tier_limit_reached')
    const row = await tx.apiKey.create({
      data: {
        user_id: user.user_id,
        name: fields.name,
        scopes: fields.scopes,
        expires_at: fields.expires_at ?? null,
        key_prefix: key.slice(0, 12),
        key_digest: digestOf(key),
        created_at: now,
      },
    })
    return { ...row, scopes: row.scopes as Scope[], key }
  })
}

export async function revokeApiKey(userId: string, id: string, now: Date): Promise<void> {
  const { count } = await db.apiKey.updateMany({
    where: { id, user_id: userId, revoked_at: null },
    data: { revoked_at: now },
  })
  if (count === 0) throw new AppError('api_key_not_found')
}

/** Null where the key is unknown, revoked or expired. */
export async function actorOfApiKey(key: string, now: Date) {
  const row = await db.apiKey.findUnique({ where: { key_digest: digestOf(key) }, include: { user: true } })
  if (!row || row.revoked_at || (row.expires_at && row.expires_at <= now)) return null
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > USE_RECORDED_EVERY_MS)
    await db.apiKey.updateMany({ where: { id: row.id }, data: { last_used_at: now } })
  const { user_id, email, name, tier, created_at } = row.user
  const scopes = row.scopes as Scope[]
  return {
    user_id,
    email,
    name,
    tier,
    created_at,
    scopes,
    credential: 'api_key' as const,
    credential_id: row.id,
  }
}
