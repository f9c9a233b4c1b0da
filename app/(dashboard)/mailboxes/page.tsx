import { Mailbox } from 'lucide-react'
import type { Metadata } from 'next'
import { MailboxList } from '#components/senders/mailbox-list'
import { ActionButton } from '#components/ui/controls/action-button'
import { ChangingLink } from '#components/ui/controls/changing-link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { requireUser } from '#lib/http/session'
import { listMailboxes } from '#lib/services/senders/mailboxes'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { parseQuery } from '../../page-input.ts'
import { connectSandboxMailbox, deleteMailbox, testMailbox } from './actions.ts'

export const metadata: Metadata = { title: 'Mailboxes' }

export default async function MailboxesPage({ searchParams }: PageProps<'/mailboxes'>) {
  const user = await requireUser()
  const query = parseQuery(ListMailboxes.query, await searchParams)
  const now = new Date()
  const { items, ...list } = ListMailboxes.response.parse(await listMailboxes(user.workspace_id, query, now))
  const connect = (
    <ChangingLink variant="primary" href="/mailboxes/new">
      Connect a mailbox
    </ChangingLink>
  )
  return (
    <>
      <PageHeader
        title="Mailboxes"
        description="The addresses you send from, each with its own limits."
        actions={
          list.total > 0 && (
            <>
              <ChangingLink href="/mailboxes/import">Connect many</ChangingLink>
              {connect}
            </>
          )
        }
      />
      <PageBody>
        {list.total === 0 ? (
          <Panel>
            <EmptyState
              icon={<Mailbox />}
              title="No mailboxes connected"
              description="A campaign needs one to send from. Use the sandbox mailbox to try things out: its emails never leave this machine."
              action={
                <>
                  {connect}
                  {hasSandbox() && (
                    <ActionButton act={connectSandboxMailbox}>Use the sandbox mailbox</ActionButton>
                  )}
                </>
              }
            />
          </Panel>
        ) : (
          <MailboxList
            mailboxes={items}
            now={now.toISOString()}
            acts={{ test: testMailbox, remove: deleteMailbox }}
          />
        )}
        {list.total > list.page_size && (
          <Pagination path="/mailboxes" query={query} {...list} noun="mailboxes" />
        )}
      </PageBody>
    </>
  )
}
