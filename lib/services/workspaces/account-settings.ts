import type { z } from 'zod'
import { AccountSettings, type UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import { edit } from '#lib/services/instance/versioned-edit'

const SETTINGS = { user_id: true, require_verified_domain: true, version: true } as const

export async function getAccountSettings(userId: string) {
  return db.user.findUniqueOrThrow({ where: { user_id: userId }, select: SETTINGS })
}

export async function updateAccountSettings(
  userId: string,
  { version, ...data }: z.output<typeof UpdateAccountSettings.body>,
) {
  return edit({
    table: 'users',
    key: { user_id: userId },
    version,
    missing: 'account_not_found',
    current: async () => AccountSettings.parse(await getAccountSettings(userId)),
    write: (tx) => tx.user.update({ where: { user_id: userId }, data, select: SETTINGS }),
  })
}
