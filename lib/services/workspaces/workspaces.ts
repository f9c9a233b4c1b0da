import type { z } from 'zod'
import { type ListWorkspaces, type UpdateWorkspace, Workspace } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { WorkspaceModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { uuidv7 } from '#lib/db/uuid'
import { asRecord } from '#lib/domain/text/record'
import { ANSWERING_ROLES, type Role } from '#lib/domain/workspaces/roles'
import { workspaceSlug } from '#lib/domain/workspaces/slug'
import { AppError, invalid } from '#lib/errors'
import { type Here, requireHere } from '#lib/services/instance/turn'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'

export const MAX_OWNED = 20

export async function listWorkspaces(
  userId: string,
  { page, page_size }: z.output<typeof ListWorkspaces.query>,
) {
  const where = { user_id: userId }
  const [members, total] = await Promise.all([
    db.member.findMany({
      where,
      include: { workspace: true },
      orderBy: [{ created_at: 'asc' }, { workspace_id: 'asc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.member.count({ where }),
  ])
  return { items: members.map(({ role, workspace }) => ({ ...workspace, role })), total, page, page_size }
}

/** Reply assignees must be distinct members who may answer, at least one if replies are assigned in turn. */
async function requireAssignees(tx: EditTx, workspace: WorkspaceModel): Promise<void> {
  const { workspace_id, reply_assignment, reply_assignees } = workspace
  if (reply_assignment !== 'round_robin') return
  const user_id = { in: reply_assignees }
  const known = await tx.member.count({ where: { workspace_id, user_id, role: { in: ANSWERING_ROLES } } })
  if (known === 0 || known !== reply_assignees.length)
    throw invalid(['body', 'reply_assignees'], 'must list at least one member who can reply, each only once')
}

/** Creates a workspace; its creator becomes its owner. */
export const createWorkspace = (userId: string, name: string) =>
  db.$transaction((tx) => createOwned(tx, userId, name))

async function createOwned(tx: Prisma.TransactionClient, userId: string, name: string) {
  const workspace_id = uuidv7(new Date())
  await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${userId}::uuid FOR UPDATE`
  const owned = await tx.member.count({ where: { user_id: userId, role: 'owner' } })
  if (owned >= MAX_OWNED) throw new AppError('workspaces_full')
  const data = { workspace_id, name, slug: workspaceSlug(name, workspace_id) }
  const workspace = await tx.workspace.create({ data })
  await tx.member.create({ data: { workspace_id, user_id: userId, role: 'owner' } })
  return { ...workspace, role: 'owner' as const }
}

type Removed = { user_id: string; name: string; email: string }

/** Gives a removed member a workspace of their own if they have no other, since nobody can sign in without one. */
export async function ensureWorkspace(
  tx: Prisma.TransactionClient,
  { user_id, name, email }: Removed,
): Promise<void> {
  const others = await tx.member.count({ where: { user_id } })
  if (others === 0) await createOwned(tx, user_id, name || email)
}

export async function readWorkspace(user: Here & { role: Role }, workspaceId: string) {
  requireHere(user, workspaceId)
  const workspace = await db.workspace.findUniqueOrThrow({ where: { workspace_id: workspaceId } })
  return { ...workspace, role: user.role }
}

export async function updateWorkspace(
  user: Here & { role: Role },
  workspaceId: string,
  { version, ...data }: z.output<typeof UpdateWorkspace.body>,
) {
  requireHere(user, workspaceId)
  const where = { workspace_id: workspaceId }
  try {
    const workspace = await edit({
      table: 'workspaces',
      key: where,
      version,
      missing: 'workspace_not_found',
      current: async () => Workspace.parse(await readWorkspace(user, workspaceId)),
      write: async (tx) => {
        const changed = await tx.workspace.update({ where, data })
        await requireAssignees(tx, changed)
        return changed
      },
    })
    return { ...workspace, role: user.role }
  } catch (error) {
    if (asRecord(error).code === 'P2002') throw new AppError('slug_taken', { cause: error })
    throw error
  }
}
