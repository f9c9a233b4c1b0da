import type { SentMark } from '#lib/providers/inbox/port'
import type { OutgoingMail } from '#lib/providers/mail/port'

/** Looks for a message in its mailbox's Sent folder. Null if it is not there, or the folder cannot be searched. */
export type FindSent = (mailboxId: string, mark: SentMark) => Promise<{ message_id: string | null } | null>

/** The log text for an unconfirmed message that was found. */
export const IN_SENT = 'Its copy is in the Sent folder.'

export const toMark = ({ message_id, to, date }: OutgoingMail): SentMark => ({
  message_id,
  to: to.address,
  since: date,
})
