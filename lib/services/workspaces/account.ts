import type { z } from 'zod'
import { Account, type UpdateAccount } from '#lib/contracts/workspaces/account'
import { db } from '#lib/db/client'
import type { UserModel } from '#lib/db/generated/models'
import { edit } from '#lib/services/instance/versioned-edit'

const shown = ({ password_hash, ...user }: UserModel) => ({ ...user, has_password: password_hash !== null })

export async function getAccount(userId: string) {
  return shown(await db.user.findUniqueOrThrow({ where: { user_id: userId } }))
}

export async function updateAccount(
  userId: string,
  { version, ...data }: z.output<typeof UpdateAccount.body>,
) {
  const row = await edit({
    table: 'users',
    key: { user_id: userId },
    version,
    missing: 'account_not_found',
    current: async () => Account.parse(await getAccount(userId)),
    write: (tx) => tx.user.update({ where: { user_id: userId }, data }),
  })
  return shown(row)
}
