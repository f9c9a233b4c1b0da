import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { readActionId } from '#lib/domain/messages/mail-message'

/** A lead that a campaign had written to, to whom a mail that left a mailbox later may have been written by hand. */
export type Addressee = {
  email: string
  /** Addresses that wrote in its conversation. */
  writers: readonly string[]
  /** The mail answers a message of that conversation, or one that a campaign sent to the lead. */
  in_thread: boolean
  /** A campaign wrote to it before from this very mailbox; from another of the workspace otherwise. */
  from_here: boolean
  has_conversation: boolean
}

const DAY_MS = 86_400_000
/** How long after a message of a campaign a mail to its recipient is taken to be about it: as long as one from them. */
export const WRITTEN_MS = 180 * DAY_MS

/**
 * Whether Opener itself gave a mail its name: ids are of version 7, those of mail programs of version 4. It stands in the mail
 * before it is offered, so that what left a moment ago is known too; a test goes to anybody and is in no ledger.
 */
export function isNamedHere(messageId: string, addresses: readonly string[]): boolean {
  const id = messageId.toLowerCase().replace(/>\s*$/, '')
  const isOurs = addresses.some((one) => id.endsWith(one.slice(one.lastIndexOf('@')).toLowerCase()))
  if (!isOurs) return false
  return /^\s*<?notification\./i.test(messageId) || readActionId(messageId)?.[14] === '7'
}

/** Everybody whom it went to, in lower case. */
export const readRecipients = ({ recipients, bcc }: Pick<InboundMail, 'recipients' | 'bcc'>): string[] => [
  ...new Set([...recipients.map(({ address }) => address), ...bcc]),
]

/**
 * To whom of these somebody wrote. What answers a conversation must go to somebody of it: to forward it to a colleague is no
 * answer. What answers nothing counts where the lead was written to from this mailbox, or wrote itself. Mail between mailboxes
 * of the workspace is their own, and what a lead whose mailbox this is wrote is the lead's.
 */
export function addressed<Lead extends Addressee>(
  recipients: readonly string[],
  leads: readonly Lead[],
  own: { mailbox: string; all: readonly string[] },
): Lead[] {
  const outside = recipients.filter((address) => !own.all.includes(address))
  return leads.filter(({ email, writers, in_thread, from_here, has_conversation }) => {
    if (email === own.mailbox) return false
    if (in_thread) return recipients.includes(email) || writers.some((one) => outside.includes(one))
    return outside.includes(email) && (from_here || has_conversation)
  })
}
