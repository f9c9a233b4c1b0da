import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { AppError } from '#lib/errors'
import { type Here, takeTurn } from '#lib/services/instance/turn'
import { workspaceOwner } from '#lib/services/instance/workspace-owner'
import { findPayer, loadShares, TIER_OF, toPlan } from '#lib/services/workspaces/plans'

type Tx = Prisma.TransactionClient

/** The workspace, if the user acts in it or in its parent. */
const inEither = (user: Here, workspaceId: string) => ({
  workspace_id: workspaceId,
  ...(user.workspace_id === workspaceId ? {} : { parent_workspace_id: user.workspace_id }),
})

export async function readPayer(user: Here, workspaceId: string, now: Date) {
  const where = inEither(user, workspaceId)
  const select = { workspace_id: true, name: true, ...TIER_OF }
  const workspace = await db.workspace.findFirst({ where, select })
  if (!workspace) throw new AppError('workspace_not_found')
  const { workspace_id, tier, parent } = workspace
  const payer = findPayer(workspace)
  const own = await loadShares(db, workspace_id, now)
  const shared = parent ? await loadShares(db, parent.workspace_id, now) : []
  return {
    workspace_id,
    parent,
    payer: payer && { ...payer, owner: await workspaceOwner(payer.workspace_id) },
    by_itself: toPlan(tier, own),
    by_parent: parent && toPlan(parent.tier, payer ? shared : [...shared, ...own]),
    pays_for: own.filter((share) => share.workspace_id !== workspace_id),
  }
}

/** Locks a workspace and its parent, always in the same order. */
async function lockBoth(tx: Tx, where: Prisma.WorkspaceWhereInput) {
  const asked = await tx.workspace.findFirst({ where })
  if (!asked) throw new AppError('workspace_not_found')
  const ids = [asked.workspace_id, asked.parent_workspace_id].filter((id) => id !== null)
  for (const id of ids.toSorted()) await takeTurn(tx, id)
  const locked = await tx.workspace.findFirst({ where })
  if (locked?.parent_workspace_id !== asked.parent_workspace_id) throw new AppError('conflict')
  return locked
}

/** Lets the parent pay. The workspace's keys then count towards the parent's limit; keys beyond that limit keep working. */
export async function letParentPay(user: Here & { user_id: string }, workspaceId: string, now: Date) {
  await db.$transaction(async (tx) => {
    const workspace = await lockBoth(tx, inEither(user, workspaceId))
    const { workspace_id, parent_workspace_id, subscription_status, subscription_cancels } = workspace
    if (!parent_workspace_id) throw new AppError('has_no_parent')
    const both = { in: [workspace_id, parent_workspace_id] }
    const owned = await tx.member.count({
      where: { user_id: user.user_id, role: 'owner', workspace_id: both },
    })
    if (owned < 2) throw new AppError('role_insufficient', { message: 'You must own both workspaces.' })
    if (subscription_status && !subscription_cancels) throw new AppError('own_subscription_runs')
    await tx.workspace.update({ where: { workspace_id }, data: { billed_by_parent: true } })
  })
  return readPayer(user, workspaceId, now)
}

export async function endParentPaying(user: Here, workspaceId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const workspace = await lockBoth(tx, inEither(user, workspaceId))
    if (!workspace.parent_workspace_id || !workspace.billed_by_parent) throw new AppError('pays_itself')
    const { workspace_id } = workspace
    await tx.workspace.update({ where: { workspace_id }, data: { billed_by_parent: false } })
  })
}
