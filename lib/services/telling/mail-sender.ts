import type { Pool } from 'pg'
import type { MailAddress, MailOutcome, OutgoingMail } from '#lib/providers/mail/port'

export type MailSender = Pick<OutgoingMail, 'from' | 'reply_to'>

type Known = { name: string | null; reply_to: string | null; sender_mailbox_id: string | null }

/** The sender name and reply address of a workspace: its own branding, or its parent's. */
const findSender = async (pool: Pool, workspaceId: string | null): Promise<Known | undefined> =>
  (
    await pool.query<Known>(
      'SELECT coalesce(sender_name, name) AS name, reply_to, sender_mailbox_id FROM effective_brandings WHERE workspace_id = $1',
      [workspaceId],
    )
  ).rows[0]

/** The sender of the instance's mail for a workspace: the instance's address with the workspace's name and reply address. */
export async function loadMailSender(
  pool: Pool,
  workspaceId: string | null,
  own: MailAddress,
): Promise<MailSender> {
  return toSender(await findSender(pool, workspaceId), own)
}

const toSender = (known: Known | undefined, own: MailAddress): MailSender => ({
  from: { ...own, name: known?.name ?? own.name },
  reply_to: known?.reply_to ? { name: null, address: known.reply_to } : null,
})

/**
 * Opens the mailbox that notices are sent from; supplied by the module that knows mailboxes. Null: it cannot send, or is a sandbox mailbox.
 */
export type NoticeMailbox = (
  mailboxId: string,
  now: Date,
) => Promise<{ from: MailAddress; send: (mail: OutgoingMail) => Promise<MailOutcome> } | null>

/**
 * Sends a notice from the workspace's mailbox. Null if there is no working one or nothing left: then the instance's sender may send it
 * without a duplicate.
 */
export async function offerFromMailbox(
  pool: Pool,
  workspaceId: string | null,
  open: NoticeMailbox | undefined,
  write: (sender: MailSender) => OutgoingMail,
  now: Date,
): Promise<MailOutcome | null> {
  const known = open && (await findSender(pool, workspaceId))
  const mailbox = known?.sender_mailbox_id ? await open?.(known.sender_mailbox_id, now) : null
  if (!known || !mailbox) return null
  const outcome = await mailbox.send(write(toSender(known, mailbox.from)))
  return outcome.outcome === 'never_left' ? null : outcome
}
