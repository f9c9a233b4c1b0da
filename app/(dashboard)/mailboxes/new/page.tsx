import type { Metadata } from 'next'
import { MailboxForm } from '#components/senders/mailbox-form'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { requireUser } from '#lib/http/session'
import { createMailbox } from '../actions.ts'

export const metadata: Metadata = { title: 'Connect a mailbox' }

export default async function NewMailboxPage() {
  await requireUser()
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title="Connect a mailbox"
        description="Opener tests the connection immediately. Nothing is sent."
      />
      <PageBody>
        <MailboxForm mailbox={null} save={createMailbox} />
      </PageBody>
    </>
  )
}
