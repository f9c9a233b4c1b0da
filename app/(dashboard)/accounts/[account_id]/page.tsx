import { RefreshCw } from 'lucide-react'
import type { Metadata } from 'next'
import { AccountClock } from '#components/senders/accounts/account-clock'
import { AccountForm } from '#components/senders/accounts/account-form'
import { KIND_LABELS, NETWORK_LABELS } from '#components/senders/labels'
import { MailboxStatus } from '#components/senders/mailbox-status'
import { Outage } from '#components/senders/outage'
import { ActionButton } from '#components/ui/controls/action-button'
import { Callout } from '#components/ui/feedback/callout'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ReadConnectedAccount, UpdateConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { requireUser } from '#lib/http/session'
import { accountRampHistory } from '#lib/services/senders/ramp/ramp-history'
import { readConnectedAccount } from '#lib/services/social/connected-accounts'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { ViewOnly } from '../../view-only.tsx'
import { reconnect, save } from '../actions.ts'
import { AccountMembers } from './members.tsx'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage({ params }: PageProps<'/accounts/[account_id]'>) {
  const user = await requireUser()
  const { account_id } = parseParams(ReadConnectedAccount.params, await params)
  const now = new Date()
  const account = ReadConnectedAccount.response.parse(
    await orNotFound(readConnectedAccount(user.workspace_id, account_id, now)),
  )
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/accounts', label: 'Accounts' }]} />}
        title={account.name}
        status={<MailboxStatus status={account.status} />}
        description={[
          NETWORK_LABELS[account.provider],
          KIND_LABELS[account.kind] ?? account.kind,
          ...(account.handle ? [account.handle] : []),
        ].join(' · ')}
      />
      <PageBody>
        {account.status === 'disconnected' && (
          <Callout
            tone="danger"
            title="This account is disconnected"
            action={
              <ActionButton size="sm" act={reconnect.bind(null, account_id)}>
                <RefreshCw aria-hidden /> Reconnect
              </ActionButton>
            }
          >
            {account.status_reason}
          </Callout>
        )}
        {account.failing_cause && (
          <Outage
            cause={account.failing_cause}
            said={account.status_reason}
            next_try_at={account.next_try_at}
            now={now.toISOString()}
          />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <AccountClock
              account={account}
              past={await accountRampHistory(user.workspace_id, account_id, now)}
              now={now.toISOString()}
            />
            <AccountMembers user={user} account_id={account_id} />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <ViewOnly changes={UpdateConnectedAccount}>
              <AccountForm account={account} save={save.bind(null, account_id)} />
            </ViewOnly>
          </div>
        </div>
      </PageBody>
    </>
  )
}
