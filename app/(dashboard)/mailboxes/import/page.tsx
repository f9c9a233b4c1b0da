import type { Metadata } from 'next'
import { BulkConnect } from '#components/senders/connect/bulk-connect'
import { MailboxColumns } from '#components/senders/connect/mailbox-columns'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { ConnectMailboxes } from '#lib/contracts/senders/mailboxes'
import { requireUser } from '#lib/http/session'
import { connectMailboxes } from '../actions.ts'

export const metadata: Metadata = { title: 'Connect many mailboxes' }

export default async function ImportMailboxesPage() {
  await requireUser(ConnectMailboxes)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Connect many mailboxes"
        description="Each row is connected and tested separately. Nothing is sent."
      />
      <PageBody>
        <BulkConnect connect={connectMailboxes}>
          <MailboxColumns />
        </BulkConnect>
      </PageBody>
    </>
  )
}
