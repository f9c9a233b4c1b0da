import type { Tone } from '#components/ui/feedback/badge'
import type { InboxFolder, InboxMessage, InboxThread } from '#lib/contracts/inbox/inbox'
import type { LabelColor } from '#lib/contracts/inbox/inbox-labels'
import { INTENTS, type Intent } from '#lib/domain/inbox/intent/intents'

export const FOLDER_LABELS: Record<InboxFolder, string> = {
  open: 'Open',
  unread: 'Unread',
  needs_answer: 'Needs an answer',
  snoozed: 'Snoozed',
  done: 'Archived',
  sent: 'Sent',
  all: 'All',
}

/** Folders from which archiving removes a conversation. */
export const WORK_FOLDERS: InboxFolder[] = ['open', 'unread', 'needs_answer', 'snoozed']

type Kind = InboxThread['last_kind'] | InboxMessage['kind']

/** Labels for messages other than normal ones. */
export const KIND_LOOKS: Partial<Record<Kind, { tone: Tone; label: string }>> = {
  automatic_reply: { tone: 'info', label: 'Out of office' },
  hard_bounce: { tone: 'danger', label: 'Bounced' },
  soft_bounce: { tone: 'warning', label: 'Delayed' },
  complaint: { tone: 'danger', label: 'Complaint' },
  unsubscribe: { tone: 'warning', label: 'Unsubscribe' },
  answer: { tone: 'neutral', label: 'Answered' },
  own_message: { tone: 'neutral', label: 'Answered' },
}

/** Labels of the intents, in the order of INTENTS, which is also that of their keys. */
export const INTENT_LOOKS: Record<Intent, { tone: Tone; label: string }> = {
  interested: { tone: 'success', label: 'Interested' },
  meeting: { tone: 'success', label: 'Wants a meeting' },
  later: { tone: 'info', label: 'Later' },
  referral: { tone: 'accent', label: 'Referral' },
  wrong_person: { tone: 'neutral', label: 'Wrong person' },
  not_interested: { tone: 'neutral', label: 'Not interested' },
  stop: { tone: 'warning', label: 'Asks to stop' },
  absence: { tone: 'info', label: 'Away' },
  bounce: { tone: 'danger', label: 'Bounced' },
}

/** Each intent with its key, and 0 for none. */
export const INTENT_CHOICES = [...INTENTS, null].map((intent, index) => ({
  intent,
  key: String((index + 1) % 10),
  label: intent ? INTENT_LOOKS[intent].label : 'None of these',
}))

/** Automatic labels are identifiers, so make them readable. */
export const labelText = (label: string) => label.replaceAll('_', ' ')

export const LABEL_DOTS: Record<LabelColor, string> = {
  neutral: 'bg-muted',
  accent: 'bg-accent',
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
  info: 'bg-info',
}

export const COLOR_LABELS: Record<LabelColor, string> = {
  neutral: 'Grey',
  accent: 'Accent',
  success: 'Green',
  warning: 'Amber',
  danger: 'Red',
  info: 'Blue',
}

export type LabelColors = Record<string, LabelColor>
