import type { Tone } from '#components/ui/badge'
import type { InboxFolder, InboxMessage, InboxThread } from '#lib/contracts/inbox'

export const FOLDER_LABELS: Record<InboxFolder, string> = {
  open: 'Open',
  snoozed: 'Snoozed',
  done: 'Done',
  all: 'All',
}

type Kind = InboxThread['last_kind'] | InboxMessage['kind']

/** What a message is, where that is more than somebody writing. */
export const KIND_LOOKS: Partial<Record<Kind, { tone: Tone; label: string }>> = {
  automatic_reply: { tone: 'info', label: 'Out of office' },
  hard_bounce: { tone: 'danger', label: 'Bounced' },
  soft_bounce: { tone: 'warning', label: 'Delayed' },
  complaint: { tone: 'danger', label: 'Complaint' },
  unsubscribe: { tone: 'warning', label: 'Unsubscribe' },
  answer: { tone: 'neutral', label: 'Answered' },
  own_message: { tone: 'neutral', label: 'Answered' },
}
