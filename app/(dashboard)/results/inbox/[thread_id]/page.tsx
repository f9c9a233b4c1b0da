import type { Metadata } from 'next'
import { ThreadView } from '#components/inbox/thread-view'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { queryHref } from '#components/ui/query-href'
import {
  InboxThreadDetail,
  ListInboxThreads,
  ReadInboxMessages,
  ReadInboxThread,
} from '#lib/contracts/inbox/inbox'
import { requireUser } from '#lib/http/session'
import { readOwnMessages } from '#lib/services/inbox/messages'
import { readOwnThread } from '#lib/services/inbox/threads'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../../page-input.ts'

export const metadata: Metadata = { title: 'Conversation' }

export default async function ClientThreadPage({
  params,
  searchParams,
}: PageProps<'/results/inbox/[thread_id]'>) {
  const user = await requireUser(ReadInboxThread)
  const { thread_id } = parseParams(ReadInboxThread.params, await params)
  const { search } = parseQuery(ListInboxThreads.query, await searchParams)
  const now = new Date()
  const thread = InboxThreadDetail.parse(await orNotFound(readOwnThread(user, thread_id, now)))
  const [rows, zone] = await Promise.all([
    readOwnMessages(user, thread_id, now),
    workspaceTimezone(user.workspace_id),
  ])
  const { messages } = ReadInboxMessages.response.parse({ messages: rows })
  const { counterpart_name, counterpart_address, campaign_name, subject } = thread
  const person = counterpart_name ? `${counterpart_name}, ${counterpart_address}` : counterpart_address
  return (
    <>
      <PageHeader
        title={subject || `Chat with ${counterpart_name ?? counterpart_address}`}
        above={
          <Breadcrumbs items={[{ href: queryHref('/results/inbox', { search }, {}), label: 'Inbox' }]} />
        }
        description={campaign_name ? `${person} · ${campaign_name}` : person}
      />
      <PageBody wide={false}>
        <h2 className="sr-only">Messages</h2>
        <ThreadView thread={thread} forward={null} messages={messages} notes={[]} zone={zone} />
      </PageBody>
    </>
  )
}
