import type { Metadata } from 'next'
import { PasswordForm } from '#components/workspaces/password-form'
import { SessionTable } from '#components/workspaces/session-table'
import { Account } from '#lib/contracts/workspaces/account'
import { ListSessions } from '#lib/contracts/workspaces/sessions'
import { requireUser } from '#lib/http/session'
import { getAccount } from '#lib/services/workspaces/account'
import { listSessions } from '#lib/services/workspaces/sign-in/sessions'
import { changePassword, revokeOtherSessions, revokeSession } from './actions.ts'

export const metadata: Metadata = { title: 'Security' }

/** How one gets in, and who is in. */
export default async function SecurityPage() {
  const { user_id, session_id } = await requireUser()
  const now = new Date()
  const [row, sessions] = await Promise.all([
    getAccount(user_id),
    listSessions(user_id, { page: 1, page_size: 100 }, now),
  ])
  const account = Account.parse(row)
  return (
    <>
      {account.has_password && <PasswordForm email={account.email} change={changePassword} />}
      <SessionTable
        sessions={ListSessions.response.parse(sessions).items}
        current={session_id}
        now={now.toISOString()}
        zone={account.timezone}
        revoke={revokeSession}
        revokeOthers={revokeOtherSessions}
      />
    </>
  )
}
