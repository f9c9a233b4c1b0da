import { db, pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { toStatements } from '#lib/db/statements'
import { nextPoll } from '#lib/domain/inbox/poll-cadence'
import { sendingAddress } from '#lib/domain/messages/own-addresses'
import { filledSignature } from '#lib/domain/messages/signature'
import { asRecord } from '#lib/domain/text/record'
import type { MailProvider, OutgoingMail } from '#lib/providers/mail/port'
import { inboxProvider } from '#lib/services/inbox/mailboxes/provider'
import { createSentFinder } from '#lib/services/inbox/sent/find-sent'
import { type Fate, toFate, toFoundFate } from '#lib/services/inbox/written/fate'
import { createOpener, sendFrom } from '#lib/services/senders/mailbox-connection'
import type { MailboxRow } from '#lib/services/senders/mailbox-rows'
import { keepSentCopies, sentCopy } from '#lib/services/senders/sent/sent-copies'
import { type FindSent, toMark } from '#lib/services/senders/sent/sent-mark'

type Offered = { inbox_message_id: string; provider: MailProvider; find: FindSent }

/** Looks for a sent mail while a user waits for the result. */
export const findSent: FindSent = (mailboxId, mark) =>
  createSentFinder({
    pool: pool(),
    imap: inboxProvider(),
    clock: () => new Date(),
    delays_ms: [1_000, 3_000],
  })(mailboxId, mark)

/**
 * Offers a message written by hand, whose row already exists, and stores the outcome. If it may have been
 * sent, `left` runs first: it locks campaigns, which come before messages in the lock order.
 */
export async function deliverWritten(
  mailbox: MailboxRow,
  mail: OutgoingMail,
  { inbox_message_id, provider, find }: Offered,
  now: Date,
  left: (tx: Prisma.TransactionClient) => Promise<unknown>,
): Promise<Fate> {
  const opener = createOpener(pool(), () => now)
  const outcome = await sendFrom(provider, opener, mailbox, mail)
  const copied = outcome.outcome === 'unknown' ? await find(mailbox.mailbox_id, toMark(mail)) : null
  const fate = copied ? toFoundFate(copied, mail) : toFate(outcome)
  const copy = fate.delivery_status === 'sent' ? sentCopy(mailbox, mail) : null
  await db.$transaction(async (tx) => {
    const has_left = fate.delivery_status !== 'failed'
    if (has_left) await left(tx)
    await tx.inboxMessage.update({ where: { inbox_message_id }, data: fate })
    if (!has_left) return
    await noteLeft(tx, mailbox.mailbox_id, now)
    if (copy) await keepSentCopies(toStatements(tx), [copy])
  })
  return fate
}

/** A reply may arrive soon, so the mailbox becomes due. */
const noteLeft = (tx: Prisma.TransactionClient, mailbox_id: string, now: Date) =>
  tx.mailbox.updateMany({
    where: { mailbox_id },
    data: {
      inbox_arrived_at: now,
      inbox_due_at: new Date(nextPoll({ since: now.getTime() }, now.getTime()) ?? now),
    },
  })

/**
 * The signature's fields refer to the mailbox and the workspace's default sender, since a reply belongs to no
 * campaign.
 */
export async function answerSignature(
  workspace_id: string,
  { name, signature, ...mailbox }: Pick<MailboxRow, 'address' | 'send_as' | 'name' | 'signature'>,
): Promise<string | null> {
  if (!signature?.includes('{')) return signature
  const email = sendingAddress(mailbox)
  return filledSignature(signature, { email, name, ...(await findProfile(workspace_id)) })
}

async function findProfile(workspace_id: string): Promise<Record<string, unknown>> {
  const profile = await db.senderProfile.findFirst({ where: { workspace_id, is_default: true } })
  const { data } = asRecord(profile?.sender_data)
  return asRecord(data)
}

/** The values of `{{ sender.… }}` in a reply: the mailbox's, and the workspace's default sender's. */
export async function findSenderFields(
  workspace_id: string,
  { mailbox_id, answers_from }: { mailbox_id: string | null; answers_from: string | null },
): Promise<Record<string, unknown>> {
  const mailbox = mailbox_id
    ? await db.mailbox.findFirst({
        where: { mailbox_id, workspace_id },
        select: { address: true, send_as: true, name: true },
      })
    : null
  return {
    ...(mailbox && { email: answers_from ?? sendingAddress(mailbox), name: mailbox.name }),
    ...(await findProfile(workspace_id)),
  }
}
