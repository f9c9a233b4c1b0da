import type { Metadata } from 'next'
import { BrandingForm } from '#components/workspaces/branding/branding-form'
import { ListDomains } from '#lib/contracts/domains/domains'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { Branding, UpdateBranding } from '#lib/contracts/workspaces/branding'
import { requireUser } from '#lib/http/session'
import { listDomains } from '#lib/services/domains/domains'
import { listMailboxes } from '#lib/services/senders/mailboxes'
import { findBranding } from '#lib/services/workspaces/branding'
import { saveBranding } from './actions.ts'

export const metadata: Metadata = { title: 'Branding' }

const MANY = { page_size: 100 }

type Known = { mailbox_id: string; address: string }

/** The newest mailboxes, and the selected one in any case. */
function senders({ inherited_from, sender_mailbox_id, sender_address }: Branding, mailboxes: Known[]) {
  const isShown = inherited_from || mailboxes.some(({ mailbox_id }) => mailbox_id === sender_mailbox_id)
  const chosen = isShown ? null : sender_mailbox_id
  return [
    ...(chosen ? [{ value: chosen, label: sender_address ?? '' }] : []),
    ...mailboxes.map(({ mailbox_id, address }) => ({ value: mailbox_id, label: address })),
  ]
}

/** The workspace's appearance for clients. */
export default async function BrandingPage() {
  const { workspace_id, workspace_name } = await requireUser(UpdateBranding)
  const [found, mailboxes, domains] = await Promise.all([
    findBranding(workspace_id),
    listMailboxes(workspace_id, ListMailboxes.query.parse(MANY), new Date()),
    listDomains(workspace_id, ListDomains.query.parse(MANY)),
  ])
  const branding = Branding.parse(found)
  return (
    <BrandingForm
      branding={branding}
      workspaceName={workspace_name}
      save={saveBranding}
      mailboxes={senders(branding, mailboxes.items)}
      domains={domains.items.map(({ domain }) => ({ value: domain, label: domain }))}
    />
  )
}
