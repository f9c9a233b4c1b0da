import type { Pool } from 'pg'
import type { SandboxMessage } from '#lib/providers/mail/sandbox-smtp'

/** Matches the Message-IDs of notifications to owners, which are sent from no mailbox. */
const NOTIFICATION_ID = '^<notification\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@'

/** The column types of a row below. */
const TYPES = ['text', 'text', 'text', 'text', 'text', 'bytea', 'uuid', 'uuid']

/**
 * One statement, so that a mail to several people is stored for all or for none. A mail belongs to the mailbox that signed in
 * to send it and to that mailbox's workspace; it arrives only in another mailbox of the same workspace, or in the one that it
 * answers. A notification belongs to its own workspace. Any other mail belongs to nobody.
 */
export async function storeSandboxMail(pool: Pool, messages: SandboxMessage[]): Promise<void> {
  const values: unknown[] = []
  const rows = messages.map(({ party, ...mail }) => {
    const of = (role: 'from' | 'to') => (party?.role === role ? party.mailbox_id : null)
    const cells = [mail.mail_from, mail.rcpt_to, mail.from_address, mail.message_id, mail.subject, mail.raw]
    const places = [...cells, of('from'), of('to')].map((cell, at) => `$${values.push(cell)}::${TYPES[at]}`)
    return `(${places.join(', ')})`
  })
  await pool.query(
    `INSERT INTO sandbox_messages (mail_from, rcpt_to, from_address, message_id, subject, raw, workspace_id, from_mailbox_id,
       to_mailbox_id)
     SELECT v.mail_from, v.rcpt_to, v.from_address, v.message_id, v.subject, v.raw, coalesce(sender.workspace_id, told.workspace_id),
       sender.mailbox_id, coalesce(answered.mailbox_id, neighbour.mailbox_id)
     FROM (VALUES ${rows.join(', ')})
       v (mail_from, rcpt_to, from_address, message_id, subject, raw, from_id, to_id)
     LEFT JOIN mailboxes sender ON sender.mailbox_id = v.from_id
     LEFT JOIN mailboxes answered ON answered.mailbox_id = v.to_id
     LEFT JOIN LATERAL (SELECT mailbox_id FROM mailboxes m
       WHERE m.workspace_id = sender.workspace_id AND (lower(m.address) = lower(v.rcpt_to) OR lower(v.rcpt_to) = ANY (m.aliases))
       ORDER BY lower(m.address) = lower(v.rcpt_to) DESC LIMIT 1) neighbour ON true
     LEFT JOIN notification_messages told
       ON told.notification_message_id = substring(v.message_id from '${NOTIFICATION_ID}')::uuid`,
    values,
  )
}
