import type { Metadata } from 'next'
import { ConnectMailboxForm } from '#components/senders/connect-mailbox-form'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { createMailbox, findServers } from '../actions.ts'

export const metadata: Metadata = { title: 'Connect a mailbox' }

export default async function NewMailboxPage() {
  await requireUser()
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Connect a mailbox"
        description="Opener signs in to test the connection. Nothing is sent."
      />
      <PageBody>
        <ConnectMailboxForm save={createMailbox} find={findServers} />
      </PageBody>
    </>
  )
}
