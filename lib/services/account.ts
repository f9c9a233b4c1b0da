import type { z } from 'zod'
import type { UpdateAccount } from '#lib/contracts/account'
import { db } from '#lib/db/client'
import type { UserModel } from '#lib/db/generated/models'

const shown = ({ password_hash, ...user }: UserModel) => ({ ...user, has_password: password_hash !== null })

export async function getAccount(userId: string) {
  return shown(await db.user.findUniqueOrThrow({ where: { user_id: userId } }))
}

export async function updateAccount(userId: string, fields: z.output<typeof UpdateAccount.body>) {
  return shown(await db.user.update({ where: { user_id: userId }, data: fields }))
}
