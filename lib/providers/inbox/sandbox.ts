import type { Pool } from 'pg'
import {
  type FetchedMail,
  type InboxReading,
  type MailMark,
  mailGone,
  type WholeMail,
} from '#lib/providers/inbox/port'
import { together } from '#lib/providers/inbox/together'

export const SANDBOX_FOLDER = 'sandbox'
/** The sandbox's uids never change their meaning. */
const UID_VALIDITY = 1n

type Row = { uid: string; mail_from: string; raw: Buffer; received_at: Date }

/**
 * Incoming mail of a mailbox that sends through the sandbox: the mail for it that was handed to the sandbox's SMTP server. Uids
 * are assigned before the transaction commits, so recent mail is read again after new mail; the receiver recognizes it by its
 * uid.
 */
export async function readSandbox(
  pool: Pool,
  mailboxId: string,
  reading: InboxReading,
): Promise<{ read: number; more: boolean }> {
  const last = reading.findCursor(SANDBOX_FOLDER)?.last_uid ?? 0
  const { rows } = await pool.query<Row>(
    `SELECT uid, mail_from, raw, received_at FROM sandbox_messages
     WHERE to_mailbox_id = $1 AND (uid > $2 OR received_at > now() - interval '2 minutes')
       AND received_at > $4
     ORDER BY uid > $2 DESC, CASE WHEN uid > $2 THEN uid ELSE -uid END LIMIT $3`,
    [mailboxId, last, reading.limit, reading.since],
  )
  for (const group of together(rows, ({ raw }) => raw.length)) {
    await reading.keep(group.map((row) => delivered(row, Number(row.uid))))
    const reached = Math.max(...group.map(({ uid }) => Number(uid)))
    if (reached > last)
      await reading.advance(SANDBOX_FOLDER, { uid_validity: UID_VALIDITY, last_uid: reached })
  }
  return { read: rows.length, more: rows.filter(({ uid }) => Number(uid) > last).length >= reading.limit }
}

/** RFC 5321 section 4.4: final delivery adds the return path at the top. */
function delivered({ mail_from, raw, received_at }: Row, uid: number): FetchedMail {
  const head = Buffer.from(`Return-Path: <${mail_from}>\r\n`)
  const bytes = new Uint8Array(Buffer.concat([head, raw]))
  return {
    folder: SANDBOX_FOLDER,
    uid_validity: UID_VALIDITY,
    uid,
    raw: bytes,
    size_bytes: bytes.length,
    received_at,
  }
}

/** Fetches one mail again. */
export async function sandboxWhole(
  pool: Pool,
  mailboxId: string,
  { folder, uid }: MailMark,
): Promise<WholeMail> {
  const { rows } = await pool.query<Row>(
    'SELECT uid, mail_from, raw, received_at FROM sandbox_messages WHERE to_mailbox_id = $1 AND uid = $2',
    [mailboxId, folder === SANDBOX_FOLDER ? uid : null],
  )
  return rows[0] ? { ok: true, raw: delivered(rows[0], Number(uid)).raw } : mailGone()
}
