import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { readActionId } from '#lib/domain/messages/mail-message'

/** A lead that a campaign had contacted, to whom a person may have written a mail by hand since. */
export type Addressee = {
  email: string
  /** Addresses that wrote in the lead's conversation. */
  writers: readonly string[]
  /** The mail replies to a message of that conversation, or to one that a campaign sent to the lead. */
  in_thread: boolean
  /**
   * A campaign contacted the lead from this very mailbox; false if it was another mailbox of the workspace.
   */
  from_here: boolean
  has_conversation: boolean
}

const DAY_MS = 86_400_000
/**
 * How long after a campaign's message a mail to its recipient counts as related: as long as a mail from them.
 */
export const WRITTEN_MS = 180 * DAY_MS

/**
 * Whether Opener generated a Message-ID: its ids are UUIDs of version 7, those of mail programs of version 4.
 * The id is set before the mail is offered, so very recent mail is recognized as well. Test mails go to
 * arbitrary recipients and are in no ledger.
 */
export function isNamedHere(messageId: string, addresses: readonly string[]): boolean {
  const id = messageId.toLowerCase().replace(/>\s*$/, '')
  const isOurs = addresses.some((one) => id.endsWith(one.slice(one.lastIndexOf('@')).toLowerCase()))
  if (!isOurs) return false
  return /^\s*<?notification\./i.test(messageId) || readActionId(messageId)?.[14] === '7'
}

/** All recipients, in lower case. */
export const readRecipients = ({ recipients, bcc }: Pick<InboundMail, 'recipients' | 'bcc'>): string[] => [
  ...new Set([...recipients.map(({ address }) => address), ...bcc]),
]

/**
 * Which of these leads somebody wrote to by hand. A reply in a conversation must go to one of its people;
 * forwarding it to a colleague is not a reply. A mail that replies to nothing counts if a campaign contacted
 * the lead from this mailbox or the lead has written itself. Mail between mailboxes of the workspace is
 * internal, and mail from a mailbox that belongs to a lead was written by the lead.
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
