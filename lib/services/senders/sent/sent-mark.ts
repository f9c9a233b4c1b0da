import type { SentMark } from '#lib/providers/inbox/port'
import type { OutgoingMail } from '#lib/providers/mail/port'

/** Looks for a message in the Sent folder of its mailbox. Null where it is not there, or nobody can look. */
export type FindSent = (mailboxId: string, mark: SentMark) => Promise<{ message_id: string | null } | null>

/** What is said of a message that nobody confirmed. */
export const IN_SENT = 'Its copy is in the Sent folder.'

export const toMark = ({ message_id, to, date }: OutgoingMail): SentMark => ({
  message_id,
  to: to.address,
  since: date,
})
