import { randomUUID } from 'node:crypto'
import { pool } from '#lib/db/client'
import { loadMailSender } from '#lib/services/telling/mail-sender'
import { channels } from '#lib/services/telling/notification-channels'
import { toMail } from '#lib/services/telling/send-notification'

/** Of one that a workspace sends, rather than the instance, that. */
export type AccountMail = { subject: string; text: string; workspace_id?: string | null }

/** Whether this instance can write to people about their account: the sandbox would keep what only they may read. */
export function canMailPeople(): boolean {
  const { email } = channels()
  return email !== null && !email.is_sandbox
}

/**
 * One mail about an account, offered at once and kept nowhere: what stands in it opens the account. Answers what went wrong,
 * in words for the log, or null.
 */
export async function sendAccountMail(
  to: string,
  { workspace_id = null, ...mail }: AccountMail,
  now: Date,
): Promise<string | null> {
  const { email } = channels()
  if (!email || email.is_sandbox) return 'NOTIFY_SMTP_URL is not set'
  const message = { notification_message_id: randomUUID(), recipient: to, ...mail }
  const sender = await loadMailSender(pool(), workspace_id, email.from)
  const outcome = await email.provider.send(email.connection, toMail(message, sender, now))
  if (outcome.outcome === 'accepted') return null
  return 'response' in outcome ? outcome.response : outcome.error
}
