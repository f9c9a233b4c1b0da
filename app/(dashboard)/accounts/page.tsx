import { Share2 } from 'lucide-react'
import type { Metadata } from 'next'
import { AccountList } from '#components/senders/accounts/account-list'
import { ConnectForm } from '#components/senders/accounts/connect-form'
import { Callout } from '#components/ui/feedback/callout'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ListConnectedAccounts } from '#lib/contracts/senders/connected-accounts'
import { requireUser } from '#lib/http/session'
import { newAccountDriver } from '#lib/services/senders/social-provider'
import { listConnectedAccounts } from '#lib/services/social/connected-accounts'
import { parseQuery } from '../../page-input.ts'
import { connect, prefer, reconnect, remove } from './actions.ts'

export const metadata: Metadata = { title: 'Accounts' }

export default async function AccountsPage({ searchParams }: PageProps<'/accounts'>) {
  const user = await requireUser()
  const asked = await searchParams
  const query = parseQuery(ListConnectedAccounts.query, asked)
  const now = new Date()
  const listed = await listConnectedAccounts(user.workspace_id, query, now)
  const { items, ...list } = ListConnectedAccounts.response.parse(listed)
  const canConnect = newAccountDriver() !== null
  return (
    <>
      <PageHeader
        title="Accounts"
        description="The social accounts behind your steps, messages and posts, each with its own limits."
        actions={list.total > 0 && canConnect && <ConnectForm connect={connect} />}
      />
      <PageBody>
        {asked.failed && (
          <Callout tone="warning" title="No account was connected">
            The sign-in was cancelled or failed. Try again.
          </Callout>
        )}
        {asked.connected && list.total === 0 && (
          <Callout title="The account is being connected">
            It appears here once the network confirms it.
          </Callout>
        )}
        {list.total === 0 ? (
          <Panel>
            <EmptyState
              icon={<Share2 />}
              title="No accounts connected"
              description={
                canConnect
                  ? 'You sign in on the network itself. Opener never sees your password.'
                  : 'This instance has no social network provider. Its operator can set one up.'
              }
              action={canConnect && <ConnectForm connect={connect} />}
            />
          </Panel>
        ) : (
          <AccountList accounts={items} now={now.toISOString()} acts={{ reconnect, remove, prefer }} />
        )}
        {list.total > list.page_size && (
          <Pagination path="/accounts" query={query} {...list} noun="accounts" />
        )}
      </PageBody>
    </>
  )
}
