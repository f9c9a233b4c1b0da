import type { z } from 'zod'
import { Account, type UpdateAccount } from '#lib/contracts/workspaces/account'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { UserModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import type { Maker } from '#lib/domain/workspaces/maker'
import { askFor, isRoleEnough, type Role } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'
import { lockCounting, redateSenders } from '#lib/services/campaigns/days/zone-change'
import { edit } from '#lib/services/instance/versioned-edit'
import { effectiveTier, TIER_OF } from '#lib/services/workspaces/plans'

const OF_WORKSPACE = { workspace_id: true, timezone: true, ...TIER_OF } satisfies Prisma.WorkspaceSelect
type Workspace = Prisma.WorkspaceGetPayload<{ select: typeof OF_WORKSPACE }>

const shown = ({ password_hash, ...user }: UserModel, workspace: Workspace) => ({
  ...user,
  workspace_id: workspace.workspace_id,
  timezone: workspace.timezone,
  tier: effectiveTier(workspace),
  has_password: password_hash !== null,
})

/** A person, with the time zone and limits of their current workspace. */
export async function getAccount({ workspace_id, user_id }: Maker) {
  const [user, workspace] = await Promise.all([
    db.user.findUniqueOrThrow({ where: { user_id } }),
    db.workspace.findUniqueOrThrow({ where: { workspace_id }, select: OF_WORKSPACE }),
  ])
  return shown(user, workspace)
}

/** Everybody may change their own name; the time zone is the workspace's. */
export async function updateAccount(
  { workspace_id, user_id, role }: Maker & { role: Role },
  { version, timezone, ...data }: z.output<typeof UpdateAccount.body>,
  now: Date,
) {
  return edit({
    table: 'users',
    key: { user_id },
    version,
    missing: 'account_not_found',
    current: async () => Account.parse(await getAccount({ workspace_id, user_id })),
    first: async (tx) => {
      if (timezone) await lockCounting(toStatements(tx), workspace_id)
    },
    write: async (tx) => {
      const user = await tx.user.update({ where: { user_id }, data })
      const ofWorkspace = { where: { workspace_id }, select: OF_WORKSPACE }
      const workspace = await tx.workspace.findUniqueOrThrow(ofWorkspace)
      if (!timezone || timezone === workspace.timezone) return shown(user, workspace)
      if (!isRoleEnough(role, 'admin')) throw new AppError('role_insufficient', { message: askFor('admin') })
      const change = { workspace_id, from: workspace.timezone, to: timezone }
      await redateSenders(toStatements(tx), change, now)
      return shown(user, await tx.workspace.update({ ...ofWorkspace, data: { timezone } }))
    },
  })
}
