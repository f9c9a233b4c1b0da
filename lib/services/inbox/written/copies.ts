import { z } from 'zod'
import { MAX_COPIES } from '#lib/contracts/inbox/copies'
import { db } from '#lib/db/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { type Copies, eachOnce, otherRecipients } from '#lib/domain/inbox/written/copies'
import { listAddresses } from '#lib/domain/messages/own-addresses'
import { type FieldProblem, invalid, ValidationError } from '#lib/errors'
import { listedAmong } from '#lib/services/leads/suppression-reach'

const People = z.array(z.object({ name: z.string().nullable(), address: z.string() }))

type Person = { name: string | null; address: string }
type Written = { cc?: string[] | undefined; bcc?: string[] | undefined }
type Addressed = Pick<ThreadModel, 'counterpart_address' | 'workspace_id'> & { channel: string }

/** The Cc and Bcc recipients of a reply, after checking that each may be contacted. */
export async function allowedCopies(thread: Addressed, { cc = [], bcc = [] }: Written): Promise<Copies> {
  if (cc.length + bcc.length === 0) return { cc, bcc }
  if (thread.channel === 'social')
    throw invalid(['body', cc.length > 0 ? 'cc' : 'bcc'], 'chats cannot be copied to others')
  const everybody = [...cc, ...bcc].map((email) => ({ email }))
  const listed = await listedAmong(thread.workspace_id, everybody)
  const problems = Object.entries({ cc, bcc }).flatMap(([field, addresses]) =>
    addresses.flatMap((address): FieldProblem[] => {
      const entry = listed.get(address)
      if (!entry) return []
      const name = entry.value.includes('@') ? '' : ` as ${entry.value}`
      const msg = `${address} is on the suppression list${name} (${entry.reason}).`
      return [{ loc: ['body', field], msg, type: 'value_error' }]
    }),
  )
  if (problems.length > 0) throw new ValidationError(problems)
  return eachOnce(thread.counterpart_address, { cc, bcc })
}

/** All recipients of a reply in stored form. */
export const toRecipients = (
  { counterpart_address, counterpart_name }: Pick<ThreadModel, 'counterpart_address' | 'counterpart_name'>,
  cc: string[],
): Person[] => [
  { name: counterpart_name, address: counterpart_address },
  ...cc.map((address) => ({ name: null, address })),
]

/** Parses stored recipients. */
export const readPeople = (kept: unknown): Person[] => People.parse(kept ?? [])

/**
 * The other recipients of a conversation's latest incoming message, without the workspace's own addresses.
 */
export async function readOthers(
  workspaceId: string,
  { thread_id, counterpart_address, channel }: Omit<Addressed, 'workspace_id'> & { thread_id: string },
): Promise<Person[]> {
  if (channel === 'social') return []
  const latest = await db.inboxMessage.findFirst({
    where: { thread_id, workspace_id: workspaceId, direction: 'in', kind: { in: ['reply', 'unsubscribe'] } },
    orderBy: { at: 'desc' },
    select: { recipients: true, from_address: true },
  })
  const recipients = readPeople(latest?.recipients)
  const from_address = latest?.from_address ?? ''
  if (recipients.length === 0) return []
  const mailboxes = await db.mailbox.findMany({
    where: { workspace_id: workspaceId },
    select: { address: true, aliases: true, reply_to: true },
  })
  const own = mailboxes.flatMap((mailbox) => [...listAddresses(mailbox), mailbox.reply_to ?? []].flat())
  const all = from_address ? [{ name: null, address: from_address }, ...recipients] : recipients
  return otherRecipients(all, { own, to: counterpart_address, most: MAX_COPIES })
}
