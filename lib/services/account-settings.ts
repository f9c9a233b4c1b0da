import type { z } from 'zod'
import type { UpdateAccountSettings } from '#lib/contracts/account-settings'
import { db } from '#lib/db/client'

const SETTINGS = { user_id: true, require_verified_domain: true } as const

export async function getAccountSettings(userId: string) {
  return db.user.findUniqueOrThrow({ where: { user_id: userId }, select: SETTINGS })
}

export async function updateAccountSettings(
  userId: string,
  body: z.output<typeof UpdateAccountSettings.body>,
) {
  return db.user.update({ where: { user_id: userId }, data: body, select: SETTINGS })
}
