import { db } from '#lib/db/client'
import type { UserCreateManyInput, UserModel } from '#lib/db/generated/models'
import { uuidv7 } from '#lib/db/uuid'
import { workspaceSlug } from '#lib/domain/workspaces/slug'

type NewUser = UserModel & { workspace_id: string }

/** The only function that creates a user, together with a workspace that they own. Null if the address has an account already. */
export async function makeUser(
  data: UserCreateManyInput,
  tx?: Pick<typeof db, 'user' | 'workspace' | 'member'>,
): Promise<NewUser | null> {
  if (!tx) return db.$transaction((own) => makeUser(data, own))
  // Prisma's upsert reads before it writes, so of two concurrent first requests one would fail.
  const [user] = await tx.user.createManyAndReturn({ data, skipDuplicates: true })
  if (!user) return null
  const { user_id, name } = user
  const workspace_id = uuidv7(user.created_at)
  await tx.workspace.create({ data: { workspace_id, name, slug: workspaceSlug(name, workspace_id) } })
  await tx.member.create({ data: { workspace_id, user_id, role: 'owner' } })
  return { ...user, workspace_id }
}
