import type { z } from 'zod'
import { AccountSettings, type UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { edit } from '#lib/services/instance/versioned-edit'

const SETTINGS = { workspace_id: true, require_verified_domain: true, version: true } as const

export async function getAccountSettings({ workspace_id, user_id }: Maker) {
  const row = await db.workspace.findUniqueOrThrow({ where: { workspace_id }, select: SETTINGS })
  return { ...row, user_id }
}

export async function updateAccountSettings(
  { workspace_id, user_id }: Maker,
  { version, ...data }: z.output<typeof UpdateAccountSettings.body>,
) {
  const row = await edit({
    table: 'workspaces',
    key: { workspace_id },
    version,
    missing: 'account_not_found',
    current: async () => AccountSettings.parse(await getAccountSettings({ workspace_id, user_id })),
    write: (tx) => tx.workspace.update({ where: { workspace_id }, data, select: SETTINGS }),
  })
  return { ...row, user_id }
}
