import type { ReactNode } from 'react'
import { AnswerForm } from '#components/inbox/composer/answer-form'
import { ANSWER } from '#components/inbox/composer/answer-id'
import { Composer } from '#components/inbox/composer/composer'
import { NoteForm } from '#components/inbox/composer/note-form'
import { PresenceLine } from '#components/inbox/presence'
import { Callout } from '#components/ui/feedback/callout'
import type { InboxThreadDetail } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import type { InboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import { CreateInboxNote, MAX_NOTE } from '#lib/contracts/inbox/inbox-notes'
import { roleRefusal } from '#lib/contracts/workspaces/roles'
import type { requireUser } from '#lib/http/session'
import type { inboxSenders } from '#lib/services/inbox/folders'
import type { Colleague } from '#lib/services/inbox/thread/assignment'
import { snoozeChoices } from '#lib/services/inbox/thread/snooze'
import { templateNames } from '#lib/services/messages/references'
import { keepAttached, startAttaching } from '../../attaching.ts'
import { answer, discardDraft, draftAnswer, takeBack, templateText, writeNote } from '../actions.ts'

type Props = {
  thread: InboxThreadDetail
  role: Awaited<ReturnType<typeof requireUser>>['role']
  senders: Awaited<ReturnType<typeof inboxSenders>>
  people: Colleague[]
  begun: InboxDraft | null
  me: { workspace_id: string }
  zone: string
  now: Date
}

/** At the end of the page; on phones above the bottom bar. */
const Place = ({ children }: { children: ReactNode }) => (
  <section
    id={ANSWER}
    aria-label="Your answer"
    tabIndex={-1}
    className="max-lg:sticky max-lg:bottom-2 max-lg:z-10 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]"
  >
    {children}
  </section>
)

/** The reply and note forms, as far as the user may use them. */
export async function ThreadComposer({ thread, role, senders, people, begun, me, zone, now }: Props) {
  const { thread_id, last_message_id, counterpart_name, counterpart_address } = thread
  const sender = senders.find(({ id }) => id === (thread.mailbox_id ?? thread.connected_account_id))
  const refusal = roleRefusal(role, ReplyInInbox)
  const suppressed = thread.may_answer && !refusal && thread.suppression && (
    <Callout tone="warning" className="mb-2">
      {thread.suppression.value} is on the suppression list: no campaign contacts them. They wrote here, so
      you can answer.
    </Callout>
  )
  const reply =
    thread.may_answer && !refusal ? (
      <AnswerForm
        key={thread_id}
        thread_id={thread_id}
        to={counterpart_name ?? counterpart_address}
        from={thread.answers_from ?? sender?.name ?? null}
        last_message_id={last_message_id}
        begun={begun}
        others={thread.channel === 'email' ? thread.others : null}
        attach={thread.channel === 'email' ? { start: startAttaching, keep: keepAttached } : null}
        times={sendTimes(zone, now)}
        zone={zone}
        send={answer.bind(null, thread_id, zone)}
        takeBack={takeBack.bind(null, me.workspace_id, thread_id)}
        discard={discardDraft.bind(null, thread_id)}
        draft={draftAnswer.bind(null, thread_id)}
        templates={await templateNames(me.workspace_id)}
        readTemplate={templateText.bind(null, thread_id)}
      />
    ) : (
      <Callout tone="warning" title="You cannot reply here">
        {thread.why_not ?? refusal}
      </Callout>
    )
  if (roleRefusal(role, CreateInboxNote))
    return (
      <Place>
        <PresenceLine thread_id={thread_id} />
        {suppressed}
        {reply}
      </Place>
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
    <Place>
      <PresenceLine thread_id={thread_id} />
      {suppressed}
      <Composer key={thread_id} reply={reply} note={note} />
    </Place>
  )
}

/** The user's latest draft that is not scheduled. */
export const findBegun = (drafts: InboxDraft[], userId: string): InboxDraft | null =>
  drafts.findLast(({ user_id, send_at }) => user_id === userId && send_at === null) ?? null

function sendTimes(zone: string, now: Date) {
  const clock = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  })
  return snoozeChoices(zone, now)
    .slice(0, 4)
    .map((choice) => ({ ...choice, at: clock.format(new Date(choice.until)) }))
}
