import { ChevronLeft } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AnswerForm } from '#components/inbox/answer-form'
import { Contact, ContactLine } from '#components/inbox/contact'
import { LabelBadges } from '#components/inbox/label-badges'
import { ThreadKeys } from '#components/inbox/thread-keys'
import { ThreadView } from '#components/inbox/thread-view'
import { Callout } from '#components/ui/feedback/callout'
import { queryHref } from '#components/ui/query-href'
import { InboxThreadDetail, ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { requireUser } from '#lib/http/session'
import { inboxSenders } from '#lib/services/inbox/folders'
import { readInboxMessages } from '#lib/services/inbox/messages'
import { listAssignees } from '#lib/services/inbox/thread/assignment'
import { readInboxLabels } from '#lib/services/inbox/thread/labels'
import { readInboxThread } from '#lib/services/inbox/threads'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { answer, draftAnswer, markRead } from '../actions.ts'
import { InboxFrame } from '../frame.tsx'
import { ThreadActs } from './acts.tsx'

export const metadata: Metadata = { title: 'Conversation' }

export default async function ThreadPage({ params, searchParams }: PageProps<'/inbox/[thread_id]'>) {
  const user = await requireUser()
  const { workspace_id, user_id } = user
  const { thread_id } = parseParams(ReadInboxThread.params, await params)
  const now = new Date()
  const [detail, rows, labels, zone, senders, people, asked] = await Promise.all([
    orNotFound(readInboxThread(workspace_id, thread_id)),
    orNotFound(readInboxMessages(workspace_id, thread_id, now)),
    readInboxLabels(workspace_id),
    workspaceTimezone(workspace_id),
    inboxSenders(workspace_id),
    listAssignees(workspace_id),
    searchParams,
  ])
  const thread = InboxThreadDetail.parse(detail)
  const { messages } = ReadInboxMessages.response.parse({ messages: rows })
  const sender = senders.find(({ id }) => id === (thread.mailbox_id ?? thread.connected_account_id))
  const colors = Object.fromEntries(labels.map(({ label, color }) => [label, color]))
  return (
    <InboxFrame user={user} searchParams={asked} labels={labels} chosen={thread_id}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-4 2xl:grid-cols-[minmax(0,1fr)_17rem]">
        <section aria-labelledby="subject" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <BackToList folder={asked.folder} />
          <Subject thread={thread} />
          <ThreadActs
            thread={thread}
            labels={labels}
            people={people}
            me={user_id}
            folder={asked.folder}
            zone={zone}
            now={now}
          />
          {thread.labels.length > 0 && (
            <p className="flex flex-wrap gap-1">
              <LabelBadges labels={thread.labels} colors={colors} />
            </p>
          )}
          <div className="2xl:hidden">
            <ContactLine thread={thread} />
          </div>
          <ThreadView messages={messages} zone={zone} />
          {thread.may_answer ? (
            <AnswerForm
              key={thread_id}
              thread_id={thread_id}
              to={thread.counterpart_name ?? thread.counterpart_address}
              from={sender?.name ?? null}
              send={answer.bind(null, thread_id)}
              draft={draftAnswer.bind(null, thread_id)}
            />
          ) : (
            <Callout tone="warning" title="No answer can be sent">
              {thread.why_not}
            </Callout>
          )}
        </section>
        <div className="max-2xl:hidden">
          <Contact thread={thread} />
        </div>
        <ThreadKeys key={thread_id} read={thread.unread ? markRead.bind(null, thread_id) : undefined} />
      </div>
    </InboxFrame>
  )
}

function Subject({ thread }: { thread: InboxThreadDetail }) {
  const { subject, channel, counterpart_name, counterpart_address } = thread
  const unnamed =
    channel === 'email' ? '(no subject)' : `Chat with ${counterpart_name ?? counterpart_address}`
  return (
    <h2 id="subject" className="min-w-0 text-lg font-semibold wrap-anywhere">
      {subject || unnamed}
    </h2>
  )
}

function BackToList({ folder }: { folder: string | string[] | undefined }) {
  return (
    <Link
      href={queryHref('/inbox', {}, { folder: typeof folder === 'string' ? folder : undefined })}
      className="flex min-h-8 w-fit items-center gap-1 rounded-xs text-sm text-accent-text hover:underline lg:hidden"
    >
      <ChevronLeft aria-hidden className="size-4" /> All conversations
    </Link>
  )
}
