import { clsx } from 'clsx'
import { ChevronLeft } from 'lucide-react'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { AbsenceNote } from '#components/inbox/absence-note'
import { PlannedAnswers } from '#components/inbox/composer/planned-answers'
import { ContactLine } from '#components/inbox/contact/contact'
import { IntentNote } from '#components/inbox/intent'
import { LabelBadges } from '#components/inbox/label-badges'
import { Messages } from '#components/inbox/messages'
import { ThreadKeys } from '#components/inbox/thread-keys'
import { ThreadView } from '#components/inbox/thread-view'
import { Link } from '#components/ui/controls/link'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import {
  InboxThreadDetail,
  ListInboxThreads,
  MarkInboxThreadRead,
  ReadInboxMessages,
  ReadInboxThread,
} from '#lib/contracts/inbox/inbox'
import { type InboxDraft, ReadInboxDrafts, UpdateInboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import type { InboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { ListInboxNotes } from '#lib/contracts/inbox/inbox-notes'
import { isAdmin, roleRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser, type SignedIn } from '#lib/http/session'
import { inboxSenders } from '#lib/services/inbox/folders'
import { readInboxMessages } from '#lib/services/inbox/messages'
import { readInboxDrafts } from '#lib/services/inbox/planned/drafts'
import { listAssignees } from '#lib/services/inbox/thread/assignment'
import { readInboxLabels } from '#lib/services/inbox/thread/labels'
import { listInboxNotes, listMentionable } from '#lib/services/inbox/thread/notes'
import { readInboxThread } from '#lib/services/inbox/threads'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'
import { keepAttached, startAttaching } from '../../attaching.ts'
import {
  addNamed,
  deleteNote,
  discardDraft,
  forward,
  markRead,
  releasePerson,
  sendDraftNow,
  takeBack,
} from '../actions.ts'
import { InboxFrame } from '../frame.tsx'
import { listHref } from '../places.ts'
import { ThreadActs } from './acts.tsx'
import { findBegun, ThreadComposer } from './composer.tsx'
import { PersonPanes, personHrefs } from './history.tsx'

export const metadata: Metadata = { title: 'Conversation' }

/** All data that the page shows of the conversation. */
async function loadConversation({ workspace_id, user_id, role }: SignedIn, thread_id: string, now: Date) {
  const [detail, rows, notes, planned] = await Promise.all([
    orNotFound(readInboxThread(workspace_id, thread_id, now)),
    orNotFound(readInboxMessages(workspace_id, thread_id, now)),
    orNotFound(listInboxNotes(workspace_id, thread_id, { page: 1, page_size: 100 })),
    orNotFound(readInboxDrafts(workspace_id, thread_id)),
  ])
  const { drafts } = ReadInboxDrafts.response.parse({ drafts: planned })
  const begun = findBegun(drafts, user_id)
  const noted = ListInboxNotes.response.parse(notes).items.map((note) => ({
    note,
    remove: note.user_id === user_id || isAdmin(role) ? deleteNote.bind(null, thread_id, note.note_id) : null,
  }))
  return {
    thread: InboxThreadDetail.parse(detail),
    messages: ReadInboxMessages.response.parse({ messages: rows }).messages,
    noted,
    begun,
    others: drafts.filter(({ draft_id }) => draft_id !== begun?.draft_id),
  }
}

export default async function ThreadPage({ params, searchParams }: PageProps<'/inbox/[thread_id]'>) {
  const user = await requireUser()
  const { workspace_id, user_id } = user
  const { thread_id } = parseParams(ReadInboxThread.params, await params)
  const now = new Date()
  const [{ thread, messages, noted, begun, others }, labels, zone, senders, people, mentionable, asked] =
    await Promise.all([
      loadConversation(user, thread_id, now),
      readInboxLabels(workspace_id),
      workspaceTimezone(workspace_id),
      inboxSenders(workspace_id),
      listAssignees(workspace_id),
      listMentionable(workspace_id),
      searchParams,
    ])
  const { historyHref, closeHref } = personHrefs(user, thread, asked)
  return (
    <InboxFrame user={user} searchParams={asked} labels={labels} chosen={thread_id}>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-4 lg:h-full lg:grid-rows-[minmax(0,1fr)] 2xl:grid-cols-[minmax(0,1fr)_17rem]">
        <section
          aria-labelledby="subject"
          className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 lg:h-full lg:grid-rows-[auto_minmax(6rem,1fr)_auto]"
        >
          <ThreadHead
            thread={thread}
            listHref={listHref(parseQuery(ListInboxThreads.query, asked))}
            historyHref={historyHref}
            labels={labels}
            said={isSaid(thread) && <ThreadSaid thread={thread} zone={zone} />}
          >
            <ThreadActs
              thread={thread}
              labels={labels}
              people={people}
              me={user_id}
              folder={asked.folder}
              zone={zone}
              now={now}
            />
          </ThreadHead>
          <Messages count={messages.length + noted.length + others.length}>
            <ThreadView {...{ thread, messages, zone }} notes={noted} forward={forwarding(user, thread)} />
            <PlannedAnswers drafts={others} acts={draftActs(user)} zone={zone} />
          </Messages>
          <ThreadComposer
            thread={thread}
            role={user.role}
            senders={senders}
            people={mentionable}
            begun={begun}
            me={user}
            zone={zone}
            now={now}
          />
        </section>
        <PersonPanes user={user} thread={thread} zone={zone} closeHref={closeHref} />
        <ThreadKeys key={thread_id} read={readOnce(user.role, thread)} />
      </div>
    </InboxFrame>
  )
}

/** The actions on replies that are not sent yet. */
const draftActs = ({ role, workspace_id }: SignedIn) =>
  roleRefusal(role, UpdateInboxDraft) === null
    ? ({ thread_id, draft_id, version }: InboxDraft) => ({
        takeBack: takeBack.bind(null, workspace_id, thread_id, draft_id),
        sendNow: sendDraftNow.bind(null, thread_id, draft_id, version),
        discard: discardDraft.bind(null, thread_id, draft_id),
      })
    : null

/** Messages are forwarded from the conversation's mailbox, even if its person cannot be replied to. */
const forwarding = ({ role }: SignedIn, { channel, thread_id, mailbox_id }: InboxThreadDetail) =>
  channel === 'email' && mailbox_id && roleRefusal(role, ForwardInInbox) === null
    ? {
        act: (inbox_message_id: string) => forward.bind(null, thread_id, inbox_message_id),
        attach: { start: startAttaching, keep: keepAttached },
      }
    : null

type HeadProps = {
  thread: InboxThreadDetail
  historyHref: string | null
  /** Link back to the list, in the single-pane layout. */
  listHref: string
  labels: InboxLabel[]
  /** The detected intent, and until when the person is away, if known. */
  said: ReactNode
  children: ReactNode
}

/** Whether an intent or an absence is known. */
const isSaid = ({ intent, absence, campaign_lead_id }: InboxThreadDetail) =>
  intent !== null || (absence !== null && campaign_lead_id !== null)

function ThreadSaid({ thread, zone }: { thread: InboxThreadDetail; zone: string }) {
  return (
    <>
      <ThreadIntent thread={thread} />
      <ThreadAbsence thread={thread} zone={zone} />
    </>
  )
}

function ThreadIntent({ thread }: { thread: InboxThreadDetail }) {
  const { campaign_id, referral_email, referral_name } = thread
  const add =
    campaign_id && referral_email ? addNamed.bind(null, campaign_id, referral_email, referral_name) : null
  return <IntentNote thread={thread} addReferral={add} />
}

function ThreadAbsence({ thread, zone }: { thread: InboxThreadDetail; zone: string }) {
  const { absence, campaign_id, campaign_lead_id } = thread
  if (!absence || !campaign_id || !campaign_lead_id) return null
  const { deputy_email, deputy_name } = absence
  return (
    <AbsenceNote
      absence={absence}
      isAsked={thread.intent === 'later'}
      zone={zone}
      release={releasePerson.bind(null, campaign_id, campaign_lead_id)}
      addDeputy={deputy_email ? addNamed.bind(null, campaign_id, deputy_email, deputy_name) : null}
    />
  )
}

/** Subject, actions and person. */
function ThreadHead({ thread, historyHref, listHref, labels, said, children }: HeadProps) {
  const colors = Object.fromEntries(labels.map(({ label, color }) => [label, color]))
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 lg:flex-nowrap lg:items-start">
        <BackToList href={listHref} />
        <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-1 max-lg:order-last max-lg:basis-full">
          <Subject thread={thread} />
          <LabelBadges labels={thread.labels} colors={colors} />
        </div>
        {children}
      </div>
      <div
        className={clsx(
          'divide-y divide-border rounded-md border border-border bg-surface text-sm *:px-4 *:py-2',
          !said && '2xl:hidden',
        )}
      >
        <ContactLine thread={thread} historyHref={historyHref} />
        {said}
      </div>
    </div>
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

function BackToList({ href }: { href: string }) {
  return (
    <Link
      href={href}
      className="flex min-h-8 w-fit items-center gap-1 rounded-xs text-sm text-accent-text hover:underline lg:hidden"
    >
      <ChevronLeft aria-hidden className="size-4" /> All conversations
    </Link>
  )
}

/** Opening a conversation marks it as read, if the user's role allows that. */
const readOnce = (role: SignedIn['role'], { unread, thread_id }: InboxThreadDetail) =>
  unread && roleRefusal(role, MarkInboxThreadRead) === null ? markRead.bind(null, thread_id) : undefined
