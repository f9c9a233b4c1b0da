import type { Metadata } from 'next'
import { AnswerForm } from '#components/inbox/answer-form'
import { Contact } from '#components/inbox/contact'
import { ThreadKeys } from '#components/inbox/thread-keys'
import { ThreadView } from '#components/inbox/thread-view'
import { ActionButton } from '#components/ui/action-button'
import { ActionForm } from '#components/ui/action-form'
import { Callout } from '#components/ui/callout'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { LinkButton } from '#components/ui/link-button'
import { Panel } from '#components/ui/panel'
import { SubmitButton } from '#components/ui/submit-button'
import { InboxThreadDetail, ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox'
import { requireUser } from '#lib/http/session'
import { readInboxThread } from '#lib/services/inbox'
import { readInboxMessages } from '#lib/services/inbox-messages'
import { found, paramsOf } from '../../../page-input.ts'
import { answer, markDone, markRead, markUnread, reopen, setLabels, snooze } from '../actions.ts'
import { InboxFrame } from '../frame.tsx'

export const metadata: Metadata = { title: 'Conversation' }

export default async function ThreadPage({ params, searchParams }: PageProps<'/inbox/[thread_id]'>) {
  const user = await requireUser()
  const { thread_id } = paramsOf(ReadInboxThread.params, await params)
  const [detail, rows] = await Promise.all([
    found(readInboxThread(user.user_id, thread_id)),
    found(readInboxMessages(user.user_id, thread_id, new Date())),
  ])
  const thread = InboxThreadDetail.parse(detail)
  const { messages } = ReadInboxMessages.response.parse({ messages: rows })
  const isOpen = thread.status === 'open' && thread.snoozed_until === null
  return (
    <InboxFrame userId={user.user_id} searchParams={await searchParams} chosen={thread_id}>
      <div className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_17rem]">
        <section aria-labelledby="subject" className="grid min-w-0 gap-3">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <h2 id="subject" className="min-w-0 text-lg font-semibold wrap-anywhere">
              {thread.subject || '(no subject)'}
            </h2>
            <div className="flex flex-wrap gap-2">
              <LinkButton size="sm" href="/inbox" className="lg:hidden">
                Back
              </LinkButton>
              {isOpen ? (
                <>
                  <ActionButton size="sm" act={markDone.bind(null, thread_id)} data-key="e" title="e">
                    Done
                  </ActionButton>
                  <ActionButton size="sm" act={snooze.bind(null, thread_id, 1)} data-key="s" title="s">
                    Tomorrow
                  </ActionButton>
                  <ActionButton size="sm" act={snooze.bind(null, thread_id, 7)}>
                    In a week
                  </ActionButton>
                </>
              ) : (
                <ActionButton size="sm" act={reopen.bind(null, thread_id)} data-key="e" title="e">
                  Open again
                </ActionButton>
              )}
              <ActionButton size="sm" act={markUnread.bind(null, thread_id)} data-key="u" title="u">
                Unread
              </ActionButton>
            </div>
          </div>
          <ThreadView messages={messages} />
          {thread.may_answer ? (
            <AnswerForm
              to={thread.counterpart_name ?? thread.counterpart_address}
              send={answer.bind(null, thread_id)}
            />
          ) : (
            <Callout tone="warning" title="No answer can be sent">
              {thread.why_not}
            </Callout>
          )}
        </section>
        <div className="grid gap-4">
          <Contact thread={thread} />
          <Panel title="Labels">
            <ActionForm action={setLabels.bind(null, thread_id)} className="flex flex-wrap items-end gap-2">
              <Field label="With commas between" name="labels" className="min-w-0 grow">
                <Input defaultValue={thread.labels.join(', ')} data-key="l" />
              </Field>
              <SubmitButton>Keep</SubmitButton>
            </ActionForm>
          </Panel>
        </div>
        <ThreadKeys key={thread_id} read={thread.unread ? markRead.bind(null, thread_id) : undefined} />
      </div>
    </InboxFrame>
  )
}
