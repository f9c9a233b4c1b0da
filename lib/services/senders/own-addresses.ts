import type { MailboxModel } from '#lib/db/generated/models'
import { readAliases } from '#lib/domain/messages/own-addresses'
import { invalid } from '#lib/errors'

type Given = { aliases?: string[] | undefined; send_as?: string | null | undefined }
type Before = Pick<MailboxModel, 'address' | 'aliases' | 'send_as' | 'aliases_read_at' | 'aliases_error'>
type Written = Pick<Before, 'aliases' | 'send_as'>

/** Whether a provider listed the addresses; then they cannot be edited by hand. */
const isRead = ({ aliases_read_at, aliases_error }: Before): boolean =>
  aliases_read_at !== null && aliases_error === null

/**
 * The addresses of a mailbox after an edit. Refuses a sender address that is not the mailbox's own. A lost one may stay until another is
 * chosen, since nothing is sent under it.
 */
export function changedAddresses(before: Before, given: Given): Written {
  const aliases = given.aliases ? readAliases(before.address, given.aliases) : before.aliases
  const isSame =
    aliases.length === before.aliases.length && aliases.every((one) => before.aliases.includes(one))
  if (given.aliases && !isSame && isRead(before))
    throw invalid(['body', 'aliases'], 'are read from the provider of this mailbox: change them there')
  const wanted = given.send_as === undefined ? before.send_as : given.send_as
  const send_as = wanted === before.address ? null : wanted
  const stays = send_as === before.send_as && isSame
  if (send_as === null || aliases.includes(send_as) || stays) return { aliases, send_as }
  throw given.send_as === undefined || send_as === before.send_as
    ? invalid(['body', 'aliases'], `must include ${send_as}, which the mailbox sends as`)
    : invalid(['body', 'send_as'], 'is not one of the addresses of this mailbox')
}

const NONE = { aliases: [], send_as: null, aliases_read_at: null, aliases_error: null }

/** The addresses of a new mailbox, by the same rules. */
export const firstAddresses = (address: string, given: Given): Written =>
  changedAddresses({ ...NONE, address }, given)
