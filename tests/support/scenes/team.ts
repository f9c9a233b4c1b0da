import { db } from '#lib/db/client'
import type { Role } from '#lib/domain/workspaces/roles'
import { aUser } from '#tests/support/scenes/factories'

type User = { workspace_id: string; user_id: string }

/** Another member of the owner's workspace, who has switched to it. */
export async function aMember(owner: { workspace_id: string }, role: Role) {
  const user = await aUser()
  const { user_id } = user
  const { workspace_id } = owner
  await db.member.create({ data: { workspace_id, user_id, role } })
  await db.user.update({ where: { user_id }, data: { last_workspace_id: workspace_id } })
  return { ...user, workspace_id, own_workspace_id: user.workspace_id }
}

/** The user owns this workspace besides their own; it is returned. */
export async function ownsToo({ workspace_id, user_id }: User, besides: string): Promise<string> {
  const another = { workspace_id: besides, name: 'Agency', slug: besides }
  await db.workspace.upsert({ where: { workspace_id: besides }, create: another, update: {} })
  await db.member.create({ data: { workspace_id: besides, user_id, role: 'owner' } })
  return workspace_id
}

/** A pending invitation. */
export async function anInvitation({ workspace_id }: { workspace_id: string }): Promise<string> {
  const email = `private-${crypto.randomUUID()}@example.com`
  const data = { workspace_id, email, role: 'viewer', digest: email, expires_at: new Date() } as const
  return (await db.invitation.create({ data })).invitation_id
}
