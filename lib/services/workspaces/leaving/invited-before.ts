import type { Prisma } from '#lib/db/generated/client'
import { takeTurn } from '#lib/services/instance/turn'
import { recordRemoval } from '#lib/services/workspaces/audit'
import { takeOut } from '#lib/services/workspaces/leaving/reassign-rows'
import { ensureWorkspace } from '#lib/services/workspaces/workspaces'

type Invited = { workspace_id: string; user_id: string; name: string; email: string }

/**
 * Removes from a user's workspaces the people they invited, and those invited by them in turn. What they made there becomes the
 * owner's.
 */
export async function removeInvited(tx: Prisma.TransactionClient, userId: string, now: Date): Promise<void> {
  const invited = await tx.$queryRaw<Invited[]>`
    WITH RECURSIVE own AS (
      SELECT workspace_id, user_id FROM members WHERE user_id = ${userId}::uuid AND role = 'owner'
    ), came AS (
      SELECT workspace_id, user_id FROM own
      UNION
      SELECT i.workspace_id, u.user_id FROM came JOIN invitations i ON i.workspace_id = came.workspace_id
        AND i.invited_by = came.user_id AND i.accepted_at IS NOT NULL JOIN users u ON u.email = i.email
    )
    SELECT m.workspace_id, m.user_id, u.name, u.email FROM came JOIN members m USING (workspace_id, user_id)
      JOIN users u USING (user_id) WHERE m.user_id <> ${userId}::uuid ORDER BY m.workspace_id, m.user_id`
  for (const { workspace_id, ...person } of invited) {
    await takeTurn(tx, workspace_id)
    await takeOut(tx, { workspace_id, user_id: person.user_id, heir_id: userId }, now)
    await ensureWorkspace(tx, person)
    await recordRemoval(tx, { workspace_id, user_id: userId }, person.user_id, now)
  }
}
