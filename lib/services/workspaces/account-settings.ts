import type { z } from 'zod'
import { AccountSettings, type UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { env } from '#lib/env'
import { edit } from '#lib/services/instance/versioned-edit'
import { readAiBudget } from '#lib/services/workspaces/ai-budget'

const SETTINGS = {
  workspace_id: true,
  require_verified_domain: true,
  ai_tokens_per_month: true,
  version: true,
} as const

export async function getAccountSettings({ workspace_id, user_id }: Maker, now: Date) {
  const [row, { used }] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { workspace_id }, select: SETTINGS }),
    readAiBudget(workspace_id, now),
  ])
  return { ...row, ai_tokens_most: env().AI_TOKENS_PER_MONTH ?? null, ai_tokens_used: used, user_id }
}

export async function updateAccountSettings(
  user: Maker,
  { version, ...data }: z.output<typeof UpdateAccountSettings.body>,
  now: Date,
) {
  const { workspace_id } = user
  await edit({
    table: 'workspaces',
    key: { workspace_id },
    version,
    missing: 'account_not_found',
    current: async () => AccountSettings.parse(await getAccountSettings(user, now)),
    write: (tx) => tx.workspace.update({ where: { workspace_id }, data, select: SETTINGS }),
  })
  return getAccountSettings(user, now)
}
