import { db } from '#lib/db/client'

/** Who has owned a workspace for longest: whom its mail is from and to where no member is named. */
export async function workspaceOwner(workspaceId: string): Promise<{ email: string; name: string }> {
  const { user } = await db.member.findFirstOrThrow({
    where: { workspace_id: workspaceId, role: 'owner' },
    orderBy: [{ created_at: 'asc' }, { user_id: 'asc' }],
    select: { user: { select: { email: true, name: true } } },
  })
  return user
}
