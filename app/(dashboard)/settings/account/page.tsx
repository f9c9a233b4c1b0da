import type { Metadata } from 'next'
import { ProfileForm } from '#components/workspaces/profile-form'
import { ErasePanel, ExportPanel } from '#components/workspaces/your-data'
import { TIMEZONES } from '#lib/contracts/fields'
import { Account, ExportAccount, ReadAccount } from '#lib/contracts/workspaces/account'
import { isAdmin, roleRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { getAccount } from '#lib/services/workspaces/account'
import { prepareErasure } from '#lib/services/workspaces/erasure'
import { eraseMyAccount, saveProfile } from './actions.ts'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const user = await requireUser(ReadAccount)
  const [row, erasure] = await Promise.all([getAccount(user), prepareErasure(user.user_id, new Date())])
  const account = Account.parse(row)
  return (
    <>
      <ProfileForm
        account={account}
        zones={isAdmin(user.role) ? [...TIMEZONES].sort() : []}
        save={saveProfile}
      />
      {roleRefusal(user.role, ExportAccount) === null && <ExportPanel />}
      <ErasePanel
        account={account}
        will_erase={erasure.will_erase}
        token={erasure.token}
        erase={eraseMyAccount}
      />
    </>
  )
}
