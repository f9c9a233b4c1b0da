import { AnswerForm } from '#components/inbox/answer-form'
import { Composer } from '#components/inbox/composer'
import { NoteForm } from '#components/inbox/note-form'
import { PresenceLine } from '#components/inbox/presence'
import { Callout } from '#components/ui/feedback/callout'
import { type InboxThreadDetail, ReplyInInbox } from '#lib/contracts/inbox/inbox'
import { CreateInboxNote, MAX_NOTE } from '#lib/contracts/inbox/inbox-notes'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { requireUser } from '#lib/http/session'
import type { inboxSenders } from '#lib/services/inbox/folders'
import type { Colleague } from '#lib/services/inbox/thread/assignment'
import { answer, draftAnswer, writeNote } from '../actions.ts'

type Props = {
  thread: InboxThreadDetail
  role: Awaited<ReturnType<typeof requireUser>>['role']
  senders: Awaited<ReturnType<typeof inboxSenders>>
  people: Colleague[]
}

/** Where one writes, as far as one may. */
export function ThreadComposer({ thread, role, senders, people }: Props) {
  const { thread_id, last_message_id, counterpart_name, counterpart_address } = thread
  const sender = senders.find(({ id }) => id === (thread.mailbox_id ?? thread.connected_account_id))
  const refusal = roleRefusal(role, ReplyInInbox)
  const reply =
    thread.may_answer && !refusal ? (
      <AnswerForm
        key={thread_id}
        thread_id={thread_id}
        to={counterpart_name ?? counterpart_address}
        from={sender?.name ?? null}
        last_message_id={last_message_id}
        send={answer.bind(null, thread_id)}
        draft={draftAnswer.bind(null, thread_id)}
      />
    ) : (
      <Callout tone="warning" title="No answer can be sent">
        {thread.why_not ?? refusal}
      </Callout>
    )
  if (roleRefusal(role, CreateInboxNote))
    return (
      <div>
        <PresenceLine thread_id={thread_id} />
        {reply}
      </div>
    )
  const note = (
    <NoteForm
      key={thread_id}
      thread_id={thread_id}
      people={people}
      max={MAX_NOTE}
      write={writeNote.bind(null, thread_id)}
    />
  )
  return (
    <div>
      <PresenceLine thread_id={thread_id} />
      <Composer key={thread_id} reply={reply} note={note} />
    </div>
  )
}
