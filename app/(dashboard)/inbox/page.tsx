import type { Metadata } from 'next'
import { requireUser } from '#lib/http/session'
import { readInboxLabels } from '#lib/services/inbox/thread/labels'
import { InboxFrame } from './frame.tsx'

export const metadata: Metadata = { title: 'Inbox' }

export default async function InboxPage({ searchParams }: PageProps<'/inbox'>) {
  const user = await requireUser()
  const [asked, labels] = await Promise.all([searchParams, readInboxLabels(user.workspace_id)])
  return <InboxFrame user={user} searchParams={asked} labels={labels} chosen={null} />
}
