import { Mail } from 'lucide-react'
import { AssigneeMenu } from '#components/inbox/assignee-menu'
import { IntentMenu } from '#components/inbox/intent-menu'
import { LabelMenu } from '#components/inbox/label-menu'
import { INTENT_CHOICES, WORK_FOLDERS } from '#components/inbox/looks'
import { ArchiveButton } from '#components/inbox/optimism'
import { SnoozeMenu } from '#components/inbox/snooze-menu'
import { ActionButton } from '#components/ui/controls/action-button'
import { INBOX_FOLDERS, type InboxFolder, type InboxThread } from '#lib/contracts/inbox/inbox'
import type { InboxLabel } from '#lib/contracts/inbox/inbox-labels'
import type { Colleague } from '#lib/services/inbox/thread/assignment'
import { snoozeChoices } from '#lib/services/inbox/thread/snooze'
import {
  archive,
  assign,
  createLabel,
  markUnread,
  reopen,
  setIntent,
  snooze,
  toggleLabel,
} from '../actions.ts'

type Props = {
  thread: InboxThread
  labels: InboxLabel[]
  people: Colleague[]
  me: string
  folder: unknown
  zone: string
  now: Date
}

/** The actions for a conversation, each with its shortcut. */
export function ThreadActs({ thread, labels, people, me, folder, zone, now }: Props) {
  const { thread_id } = thread
  const isSnoozed = thread.snoozed_until !== null && new Date(thread.snoozed_until) > now
  const clock = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  })
  const shown = INBOX_FOLDERS.find((one) => one === folder) ?? ('open' satisfies InboxFolder)
  return (
    <div className="flex items-center gap-0.5">
      <ArchiveButton
        id={thread_id}
        isArchived={thread.status === 'done'}
        leavesList={WORK_FOLDERS.includes(shown)}
        archive={archive.bind(null, thread_id)}
        reopen={reopen.bind(null, thread_id)}
      />
      <AssigneeMenu name={thread.assignee_name} choices={assigneeChoices(thread, people, me)} />
      {isSnoozed && (
        <ActionButton size="sm" className="mx-1" act={reopen.bind(null, thread_id)}>
          Unsnooze
        </ActionButton>
      )}
      <SnoozeMenu
        choices={snoozeChoices(zone, now).map((choice) => ({
          ...choice,
          at: clock.format(new Date(choice.until)),
        }))}
        zone={zone}
        act={snooze.bind(null, thread_id)}
      />
      <IntentMenu
        choices={INTENT_CHOICES.map(({ intent, ...choice }) => ({
          ...choice,
          isOn: thread.intent === intent,
          set: setIntent.bind(null, thread_id, intent),
        }))}
      />
      <LabelMenu
        choices={labels.map(({ label, color }) => {
          const isOn = thread.labels.includes(label)
          return { label, color, isOn, toggle: toggleLabel.bind(null, thread_id, label, !isOn) }
        })}
        create={createLabel.bind(null, thread_id)}
      />
      <ActionButton
        variant="ghost"
        size="icon"
        act={markUnread.bind(null, thread_id)}
        aria-label="Mark unread"
        data-key="u"
        title="Mark unread (u)"
      >
        <Mail aria-hidden />
      </ActionButton>
    </div>
  )
}

/** The user first, then the others by name. */
function assigneeChoices({ thread_id, assignee_id }: InboxThread, people: Colleague[], me: string) {
  const sorted = people.toSorted((a, b) => Number(b.user_id === me) - Number(a.user_id === me))
  const given = [...sorted, { user_id: null, name: 'Nobody' }]
  return given.map(({ user_id, name }) => ({
    user_id,
    name: user_id === me ? `${name} (you)` : name,
    isOn: assignee_id === user_id,
    assign: assign.bind(null, thread_id, user_id),
  }))
}
