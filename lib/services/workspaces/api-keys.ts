import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { ApiKey, type CreateApiKey, type UpdateApiKey } from '#lib/contracts/workspaces/api-keys'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { DbNull } from '#lib/db/json'
import { keyExpiry } from '#lib/domain/calendar/key-expiry'
import { makeApiKey } from '#lib/domain/workspaces/key-format'
import type { Maker } from '#lib/domain/workspaces/maker'
import { isRoleEnough, type Role, roleOfKey } from '#lib/domain/workspaces/roles'
import { AppError, invalid } from '#lib/errors'
import { takeTurn } from '#lib/services/instance/turn'
import { edit } from '#lib/services/instance/versioned-edit'
import { hashKey } from '#lib/services/workspaces/key-admission'
import { loadPlan, requirePlaceForKey } from '#lib/services/workspaces/plans'
import { workspaceTimezone } from '#lib/services/workspaces/users'

const { scopes: Scopes, permissions: KeptPermissions, role: KeptRole } = ApiKey.shape

const HOUR_MS = 3_600_000

type Row = Prisma.ApiKeyGetPayload<object>

const shown = (row: Row) => ({
  ...row,
  scopes: Scopes.parse(row.scopes),
  role: KeptRole.parse(row.role),
  permissions: KeptPermissions.parse(row.permissions),
})

const active = (workspaceId: string, now: Date) => ({
  workspace_id: workspaceId,
  revoked_at: null,
  OR: [{ expires_at: null }, { expires_at: { gt: now } }],
})

export async function listApiKeys(workspaceId: string, now: Date) {
  const [{ tier_limit }, rows] = await Promise.all([
    loadPlan(db, workspaceId, now),
    db.apiKey.findMany({
      where: active(workspaceId, now),
      orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    }),
  ])
  const keys = rows.map(shown)
  return { keys, count: keys.length, tier_limit }
}

type Asked = z.output<typeof CreateApiKey.body>
type NewKey = Omit<Asked, 'allowed_networks'> & Partial<Pick<Asked, 'allowed_networks'>>

/** A raw key, and the columns stored for it. */
function mint() {
  const key = makeApiKey(randomBytes(32))
  return { key, kept: { key_prefix: key.slice(0, 12), key_digest: hashKey(key) } }
}

/**
 * Creates a key; only the response contains the raw key. 422 for an expiry in the past, 403 for a role above the maker's and once the
 * tier's number of active keys is reached.
 */
export async function createApiKey({ workspace_id: workspaceId, user_id }: Maker, fields: NewKey, now: Date) {
  const { name, scopes, role = null, permissions, allowed_networks = [] } = fields
  const expires_at = await endOfNewKey(workspaceId, fields, now)
  const { key, kept } = mint()
  return db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    await requirePlaceForKey(tx, workspaceId, now)
    if (role) {
      const where = { workspace_id_user_id: { workspace_id: workspaceId, user_id } }
      const maker = await tx.member.findUniqueOrThrow({ where })
      if (!isRoleEnough(maker.role, role)) throw new AppError('role_above_own')
    }
    const row = await tx.apiKey.create({
      data: {
        ...kept,
        workspace_id: workspaceId,
        user_id,
        name,
        scopes: [...new Set(scopes)],
        role,
        permissions: permissions ?? DbNull,
        allowed_networks,
        expires_at,
        created_at: now,
      },
    })
    return { ...shown(row), key }
  })
}

async function endOfNewKey(
  workspaceId: string,
  { expires, expires_at }: NewKey,
  now: Date,
): Promise<Date | null> {
  const end = expires === undefined ? (expires_at ?? null) : await endOfKey(workspaceId, expires, now)
  if (end && end <= now) throw invalid(['body', 'expires_at'], 'The expiry date is in the past.')
  return end
}

/** The expiry of a key as chosen in the form: see keyExpiry. */
async function endOfKey(workspaceId: string, choice: string, now: Date): Promise<Date | null> {
  const end = keyExpiry(choice, now, await workspaceTimezone(workspaceId))
  if (end === undefined) throw invalid(['body', 'expires'], 'Choose a day in the future.')
  return end
}

async function activeRow(workspaceId: string, id: string, now: Date) {
  const row = await db.apiKey.findFirst({ where: { id, ...active(workspaceId, now) } })
  if (!row) throw new AppError('api_key_not_found')
  return shown(row)
}

type Changer = Maker & { role: Role }

/** A raw key acts as its creator: nobody may receive or grant one with more rights than their own. */
async function requireNotAbove(
  tx: Prisma.TransactionClient,
  { workspace_id, role }: Changer,
  key: { user_id: string; role: Role | null },
) {
  const maker = await tx.member.findUnique({
    where: { workspace_id_user_id: { workspace_id, user_id: key.user_id } },
  })
  if (maker && !isRoleEnough(role, roleOfKey(maker.role, key.role))) throw new AppError('role_above_own')
}

export async function updateApiKey(
  user: Changer,
  id: string,
  { permissions, version, ...fields }: z.output<typeof UpdateApiKey.body>,
  now: Date,
) {
  const workspaceId = user.workspace_id
  await activeRow(workspaceId, id, now)
  const data = { ...fields, ...(permissions !== undefined && { permissions: permissions ?? DbNull }) }
  return edit({
    table: 'api_keys',
    key: { id, workspace_id: workspaceId },
    version,
    missing: 'api_key_not_found',
    current: () => activeRow(workspaceId, id, now),
    write: async (tx) => {
      const where = { id, workspace_id: workspaceId }
      const before = await tx.apiKey.findUniqueOrThrow({ where })
      // Lifting a restriction gives rights to whoever holds the raw key, so it may not exceed the editor's own rights.
      if (permissions !== undefined || data.allowed_networks !== undefined)
        await requireNotAbove(tx, user, before)
      if (data.role !== undefined && data.role !== before.role)
        await requireNotAbove(tx, user, { ...before, role: data.role })
      return shown(await tx.apiKey.update({ where, data }))
    },
  })
}

/** When the old key of a roll ends: after the overlap, and never later than it would have. */
function endOfOverlap(end: Date | null, hours: number, now: Date): Date {
  const after = new Date(now.getTime() + hours * HOUR_MS)
  return end && end < after ? end : after
}

/**
 * Whom a rolled key acts as. A key of somebody else becomes the roller's, with the old key's current role: otherwise the roller, who
 * receives the raw key, could act in the other's name and read what is theirs alone.
 */
async function rolledKeyOwner(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id }: Changer,
  old: { user_id: string; role: Role | null },
) {
  if (old.user_id === user_id) return { user_id, role: old.role }
  const where = { workspace_id_user_id: { workspace_id, user_id: old.user_id } }
  const maker = await tx.member.findUnique({ where })
  const role = maker && KeptRole.safeParse(roleOfKey(maker.role, old.role))
  if (!role?.success)
    throw new AppError('invalid_state', {
      message:
        'The person who created this key no longer has access, so it does not work. Revoke it and create a new one.',
    })
  return { user_id, role: role.data }
}

/**
 * Creates a key with the rights of an old one, which expires after the overlap. Only one roll at a time, so that rolling cannot bypass the
 * tier's number of keys.
 */
export async function rollApiKey(user: Changer, id: string, overlapHours: number, now: Date) {
  const workspaceId = user.workspace_id
  const { key, kept } = mint()
  return db.$transaction(async (tx) => {
    await takeTurn(tx, workspaceId)
    const old = await tx.apiKey.findFirst({ where: { id, ...active(workspaceId, now) } })
    if (!old) throw new AppError('api_key_not_found')
    await requireNotAbove(tx, user, old)
    const older = await tx.apiKey.findFirst({ where: { replaced_by: id, ...active(workspaceId, now) } })
    if (older || old.replaced_by) throw new AppError('key_roll_under_way')
    const { name, scopes, permissions, allowed_networks, expires_at } = old
    const lifetime = expires_at && expires_at.getTime() - old.created_at.getTime()
    const row = await tx.apiKey.create({
      data: {
        ...kept,
        ...(await rolledKeyOwner(tx, user, old)),
        workspace_id: workspaceId,
        name,
        scopes,
        permissions: permissions ?? DbNull,
        allowed_networks,
        expires_at: lifetime === null ? null : new Date(now.getTime() + lifetime),
        created_at: now,
      },
    })
    await tx.apiKey.update({
      where: { id },
      data: { replaced_by: row.id, expires_at: endOfOverlap(expires_at, overlapHours, now) },
    })
    return { ...shown(row), key }
  })
}

export async function revokeApiKey(workspaceId: string, id: string, now: Date): Promise<void> {
  const { count } = await db.apiKey.updateMany({
    where: { id, workspace_id: workspaceId, revoked_at: null },
    data: { revoked_at: now },
  })
  if (count === 0) throw new AppError('api_key_not_found')
}
