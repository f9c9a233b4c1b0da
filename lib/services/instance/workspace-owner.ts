import { db } from '#lib/db/client'

/** The longest-standing owner of a workspace: sender and recipient of its mail where no member is named. */
export async function workspaceOwner(workspaceId: string): Promise<{ email: string; name: string }> {
  const { user } = await db.member.findFirstOrThrow({
    where: { workspace_id: workspaceId, role: 'owner' },
    orderBy: [{ created_at: 'asc' }, { user_id: 'asc' }],
    select: { user: { select: { email: true, name: true } } },
  })
  return user
}
