import type { z } from 'zod'
import type { EraseWorkspace } from '#lib/contracts/workspaces/erasure'
import { db, pool } from '#lib/db/client'
import { keyFor } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { erasureToken, erasureTokenHolds } from '#lib/domain/tokens/erasure-token'
import { AppError } from '#lib/errors'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { requireHere } from '#lib/services/instance/turn'
import {
  countErased,
  eraseOwned,
  refuseWhilePaying,
  stopCampaigns,
  VALID_MS,
} from '#lib/services/workspaces/erasure'
import type { Asking } from '#lib/services/workspaces/members'
import { createWorkspace } from '#lib/services/workspaces/workspaces'

/** The token is valid for one workspace and one person. */
const tokenKey = (workspaceId: string) => keyFor(`workspace-erasure-${workspaceId}`)

/** What would be erased, and a token that proves the owner was told. */
export async function prepareWorkspaceErasure(user: Asking, workspaceId: string, now: Date) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  const [{ name }, members, will_erase] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where, select: { name: true } }),
    db.member.count({ where }),
    countErased([workspaceId]),
  ])
  const expires_at = new Date(now.getTime() + VALID_MS)
  const token = erasureToken(user.user_id, expires_at.getTime(), tokenKey(workspaceId))
  return { token, expires_at, name, members, will_erase }
}

/**
 * Deletes every row of one workspace in every table; its members' accounts and their other workspaces stay. Running campaigns stop first,
 * in a transaction of their own, so that no worker claims anything meanwhile.
 */
export async function eraseWorkspace(
  user: Asking,
  workspaceId: string,
  { name, token }: z.output<typeof EraseWorkspace.body>,
  now: Date,
) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  const workspace = await db.workspace.findUniqueOrThrow({ where, select: { name: true } })
  const isTold = erasureTokenHolds(token, user.user_id, now.getTime(), tokenKey(workspaceId))
  if (!isTold || name.trim() !== workspace.name.trim()) throw new AppError('erasure_unconfirmed')
  await refuseWhilePaying([workspaceId])
  await stopCampaigns([workspaceId], now)
  const { rows, people } = await inTransaction(pool(), async (client) => {
    // From here on nobody can join, leave or change a role.
    await client.query('SELECT 1 FROM workspaces WHERE workspace_id = $1 FOR UPDATE', [workspaceId])
    const members = await client.query<{ user_id: string; name: string; role: string }>(
      `SELECT m.user_id, coalesce(nullif(u.name, ''), u.email) AS name, m.role::text FROM members m
       JOIN users u USING (user_id) WHERE m.workspace_id = $1 ORDER BY m.created_at, m.user_id`,
      [workspaceId],
    )
    const asking = members.rows.find(({ user_id }) => user_id === user.user_id)
    if (asking?.role !== 'owner') throw new AppError('role_insufficient')
    return { rows: await eraseOwned(client, null, [workspaceId]), people: members.rows }
  })
  // Members without another workspace get one, or they could not sign in.
  for (const person of people)
    if ((await db.member.count({ where: { user_id: person.user_id } })) === 0)
      await createWorkspace(person.user_id, person.name)
  // The rows are gone, so the files are strays; those not removed now are removed within the hour.
  await removeStrays(pool(), fileStorage, now)
  return { erased_at: now, rows }
}
