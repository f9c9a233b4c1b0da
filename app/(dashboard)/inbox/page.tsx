import type { Metadata } from 'next'
import { requireUser } from '#lib/http/session'
import { InboxFrame } from './frame.tsx'

export const metadata: Metadata = { title: 'Inbox' }

export default async function InboxPage({ searchParams }: PageProps<'/inbox'>) {
  const user = await requireUser()
  return <InboxFrame userId={user.user_id} searchParams={await searchParams} chosen={null} />
}
