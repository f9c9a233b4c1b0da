import type { Metadata } from 'next'
import { PasswordForm } from '#components/workspaces/password-form'
import { ProfileForm } from '#components/workspaces/profile-form'
import { SessionTable } from '#components/workspaces/session-table'
import { ErasePanel, ExportPanel } from '#components/workspaces/your-data'
import { TIMEZONES } from '#lib/contracts/fields'
import { Account } from '#lib/contracts/workspaces/account'
import { ListSessions } from '#lib/contracts/workspaces/sessions'
import { requireUser } from '#lib/http/session'
import { getAccount } from '#lib/services/workspaces/account'
import { prepareErasure } from '#lib/services/workspaces/erasure'
import { listSessions } from '#lib/services/workspaces/sign-in/sessions'
import { changePassword, eraseMyAccount, revokeSession, saveProfile } from './actions.ts'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const { user_id, session_id } = await requireUser()
  const now = new Date()
  const [row, sessions, erasure] = await Promise.all([
    getAccount(user_id),
    listSessions(user_id, { page: 1, page_size: 100 }, now),
    prepareErasure(user_id, now),
  ])
  const account = Account.parse(row)
  return (
    <>
      <ProfileForm account={account} zones={[...TIMEZONES].sort()} save={saveProfile} />
      {account.has_password && <PasswordForm email={account.email} change={changePassword} />}
      <SessionTable
        sessions={ListSessions.response.parse(sessions).items}
        current={session_id}
        now={now.toISOString()}
        zone={account.timezone}
        revoke={revokeSession}
      />
      <ExportPanel />
      <ErasePanel
        account={account}
        will_erase={erasure.will_erase}
        token={erasure.token}
        erase={eraseMyAccount}
      />
    </>
  )
}
