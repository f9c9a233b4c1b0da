import { db } from '#lib/db/client'
import { countMade } from '#lib/services/workspaces/hand-on'
import { anotherOwner, findMember } from '#lib/services/workspaces/members'
import { type Here, requireHere } from '#lib/services/workspaces/turn'

/** What becomes of somebody's work if they are removed; changes nothing. */
export async function readMemberRemoval(user: Here, workspaceId: string, userId: string) {
  requireHere(user, workspaceId)
  await findMember(db, workspaceId, userId)
  const [made, owner] = await Promise.all([
    countMade(workspaceId, userId),
    anotherOwner(db, workspaceId, userId),
  ])
  return {
    user_id: userId,
    ...made,
    handed_to: owner && { user_id: owner.user_id, name: owner.user.name },
  }
}
