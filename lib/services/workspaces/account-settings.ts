import type { z } from 'zod'
import { AccountSettings, type UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import { edit } from '#lib/services/instance/versioned-edit'

const SETTINGS = { workspace_id: true, require_verified_domain: true, version: true } as const

export async function getAccountSettings(workspaceId: string) {
  return db.user.findUniqueOrThrow({ where: { workspace_id: workspaceId }, select: SETTINGS })
}

export async function updateAccountSettings(
  workspaceId: string,
  { version, ...data }: z.output<typeof UpdateAccountSettings.body>,
) {
  return edit({
    table: 'users',
    key: { workspace_id: workspaceId },
    version,
    missing: 'account_not_found',
    current: async () => AccountSettings.parse(await getAccountSettings(workspaceId)),
    write: (tx) => tx.user.update({ where: { workspace_id: workspaceId }, data, select: SETTINGS }),
  })
}
