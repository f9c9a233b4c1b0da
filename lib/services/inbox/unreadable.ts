import type { PoolClient } from 'pg'
import type { InboundKind } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { ArrivedMail, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { keepMessages, messagePreview, messageSubject } from '#lib/services/inbox/arriving/messages'
import type { Unreadable } from '#lib/services/reading/mail'

type Unread = {
  inbound_message_id: string
  mailbox: InboundMailbox
  arrived: ArrivedMail
  mail: InboundMail
  kind: InboundKind
  unreadable: Unreadable | null
}

/**
 * Shows a mail that could not be read and belongs to no lead's conversation in a conversation of its own per
 * mailbox and sender, so that many of them do not bury the rest.
 */
export async function keepUnreadable(client: PoolClient, unread: Unread): Promise<void> {
  const { mailbox, mail, kind, unreadable } = unread
  const at = unread.arrived.received_at
  const sender = mail.from?.address ?? ''
  const latest = [at, kind, messagePreview(unread), messageSubject(mail)]
  // Otherwise two concurrent ones would each start a conversation.
  await client.query('SELECT 1 FROM mailboxes WHERE mailbox_id = $1 FOR NO KEY UPDATE', [mailbox.mailbox_id])
  const { rows: known } = await client.query<{ thread_id: string }>(
    `UPDATE threads SET message_count = message_count + 1, last_message_at = greatest(last_message_at, $3),
       last_direction = 'in', last_kind = $4, preview = $5, subject = $6, unread = true, status = 'open',
       snoozed_until = NULL, updated_at = now()
     WHERE thread_id = (SELECT thread_id FROM threads WHERE mailbox_id = $1 AND counterpart_address = $2
       AND campaign_lead_id IS NULL AND channel = 'email' AND 'unreadable' = ANY (labels) LIMIT 1)
     RETURNING thread_id`,
    [mailbox.mailbox_id, sender, ...latest],
  )
  const { rows } =
    known.length > 0
      ? { rows: known }
      : await client.query<{ thread_id: string }>(
          `INSERT INTO threads (mailbox_id, counterpart_address, last_message_at, last_kind, preview, subject, workspace_id,
             counterpart_name, last_direction, unread, labels, message_count)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'in', true, '{unreadable}', 1) RETURNING thread_id`,
          [mailbox.mailbox_id, sender, ...latest, mailbox.workspace_id, mail.from?.name || null],
        )
  // Its Message-ID is not trusted: it may belong to another mail.
  const of = { ...unread, at, unreadable, message_id: null, wants: null, asks: false }
  await keepMessages(
    client,
    rows.map(({ thread_id }) => ({ ...of, thread_id })),
  )
}
