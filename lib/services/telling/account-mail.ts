import { randomUUID } from 'node:crypto'
import { pool } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import {
  loadMailSender,
  type MailSender,
  type NoticeMailbox,
  offerFromMailbox,
} from '#lib/services/telling/mail-sender'
import { channels } from '#lib/services/telling/notification-channels'
import { toMail } from '#lib/services/telling/send-notification'

/** A mail about an account; `workspace_id` if a workspace sends it rather than the instance. */
export type AccountMail = { subject: string; text: string; workspace_id?: string | null }

/** Whether this instance can send mail about accounts. Not through the sandbox, where others could read it. */
export function canMailPeople(): boolean {
  const { email } = channels()
  return email !== null && !email.is_sandbox
}

/**
 * Sends one mail about an account at once and stores it nowhere, because its content gives access to the account. Returns the error, for
 * the log, or null.
 */
export async function sendAccountMail(
  to: string,
  { workspace_id = null, ...mail }: AccountMail,
  now: Date,
  mailbox?: NoticeMailbox,
): Promise<string | null> {
  const message = { notification_message_id: randomUUID(), recipient: to, ...mail }
  const write = (sender: MailSender) => toMail(message, sender, now)
  const own = await offerFromMailbox(pool(), workspace_id, mailbox, write, now)
  const outcome = own ?? (await offerByInstance(workspace_id, write))
  if (!outcome) return 'NOTIFY_SMTP_URL is not set'
  if (outcome.outcome === 'accepted') return null
  return 'response' in outcome ? outcome.response : outcome.error
}

async function offerByInstance(workspaceId: string | null, write: (sender: MailSender) => OutgoingMail) {
  const { email } = channels()
  if (!email || email.is_sandbox) return null
  return email.provider.send(email.connection, write(await loadMailSender(pool(), workspaceId, email.from)))
}
