import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { savesSentItself } from '#lib/domain/domains/sent-folders'
import type { SentCopies } from '#lib/providers/inbox/port'
import { composeMail } from '#lib/providers/mail/compose'
import type { OutgoingMail } from '#lib/providers/mail/port'

/** Copies per reading; the rest is filed at the mailbox's next reading. */
const BATCH = 100
const MAX_TRIES = 20
const MAX_DAYS = 7

/** The fields of a mailbox that decide whether its mail is copied to Sent. */
type Sender = {
  mailbox_id: string
  smtp: { host: string }
  is_read?: boolean
  save_sent?: boolean
}
export type SentCopy = { mailbox_id: string; message_id: string; raw: Buffer; sent_at: Date }

/** The copy of an accepted message to store; null if it is not to be filed. */
export function sentCopy(sender: Sender, mail: OutgoingMail): SentCopy | null {
  if (!sender.save_sent || !sender.is_read || savesSentItself(sender.smtp.host)) return null
  return {
    mailbox_id: sender.mailbox_id,
    message_id: mail.message_id,
    raw: composeMail(mail),
    sent_at: mail.date,
  }
}

/** Stores copies in the transaction that records the messages as sent: from then on the fate of a copy does not affect its message. */
export async function keepSentCopies(client: Statements, copies: SentCopy[]): Promise<void> {
  if (copies.length === 0) return
  await client.query(
    prepared(
      `INSERT INTO sent_copies (workspace_id, mailbox_id, message_id, raw, sent_at)
       SELECT m.workspace_id, m.mailbox_id, c.message_id, c.raw, c.sent_at
       FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::timestamptz[]) c (mailbox_id, message_id, raw, sent_at)
       JOIN mailboxes m USING (mailbox_id) WHERE m.save_sent AND m.imap IS NOT NULL
       ON CONFLICT DO NOTHING`,
      [
        copies.map(({ mailbox_id }) => mailbox_id),
        copies.map(({ message_id }) => message_id),
        copies.map(({ raw }) => raw),
        copies.map(({ sent_at }) => sent_at),
      ],
    ),
  )
}

type Row = { sent_copy_id: string; message_id: string; raw: Buffer; sent_at: Date; folder: string | null }

/** Copies waiting to be filed in a mailbox's Sent folder; those that waited too long are dropped. */
export async function waitingCopies(pool: Pool, mailboxId: string, now: Date): Promise<SentCopies> {
  await pool.query(
    `DELETE FROM sent_copies WHERE mailbox_id = $1 AND (tries >= $2 OR sent_at < $3::timestamptz - make_interval(days => $4))`,
    [mailboxId, MAX_TRIES, now, MAX_DAYS],
  )
  const { rows } = await pool.query<Row>(
    `SELECT c.sent_copy_id, c.message_id, c.raw, c.sent_at, m.sent_folder AS folder
     FROM sent_copies c JOIN mailboxes m USING (mailbox_id)
     WHERE c.mailbox_id = $1 ORDER BY c.sent_at, c.sent_copy_id LIMIT $2`,
    [mailboxId, BATCH],
  )
  return {
    folder: rows[0]?.folder ?? null,
    waiting: rows.map(({ sent_copy_id: id, message_id, raw, sent_at }) => ({ id, message_id, raw, sent_at })),
    async filed(id) {
      await pool.query('DELETE FROM sent_copies WHERE sent_copy_id = $1 AND mailbox_id = $2', [id, mailboxId])
      await pool.query(
        'UPDATE mailboxes SET sent_error = NULL WHERE mailbox_id = $1 AND sent_error IS NOT NULL',
        [mailboxId],
      )
    },
    async refused(ids, error) {
      await pool.query(
        'UPDATE sent_copies SET tries = tries + 1 WHERE mailbox_id = $1 AND sent_copy_id = ANY ($2)',
        [mailboxId, ids],
      )
      await pool.query('UPDATE mailboxes SET sent_error = $2 WHERE mailbox_id = $1', [
        mailboxId,
        error.slice(0, 1_000),
      ])
    },
  }
}
