import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { InboxCursor, Place } from '#lib/providers/inbox/port'

type Row = {
  folder: string
  uid_validity: string
  last_uid: string
  sync_token: string | null
  highest_modseq: string | null
}

/** The position up to which each folder of a mailbox was read. */
export async function loadCursors(pool: Pool, mailboxId: string): Promise<Map<string, InboxCursor>> {
  const { rows } = await pool.query<Row>(
    'SELECT folder, uid_validity, last_uid, sync_token, highest_modseq FROM mailbox_folders WHERE mailbox_id = $1',
    [mailboxId],
  )
  return new Map(
    rows.map(({ folder, uid_validity, last_uid, sync_token, highest_modseq }) => [
      folder,
      {
        uid_validity: BigInt(uid_validity),
        last_uid: Number(last_uid),
        sync_token,
        modseq: highest_modseq === null ? null : BigInt(highest_modseq),
      },
    ]),
  )
}

/** Never moves backwards within one UIDVALIDITY, in case two workers read the same mailbox. */
export async function advance(pool: Pool, mailboxId: string, folder: string, cursor: InboxCursor, now: Date) {
  await pool.query(
    prepared(
      `INSERT INTO mailbox_folders AS f (mailbox_id, folder, uid_validity, last_uid, polled_at, sync_token, highest_modseq)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (mailbox_id, folder) DO UPDATE SET
         last_uid = CASE WHEN f.uid_validity = excluded.uid_validity THEN greatest(f.last_uid, excluded.last_uid)
           ELSE excluded.last_uid END,
         uid_validity = excluded.uid_validity, polled_at = excluded.polled_at,
         sync_token = excluded.sync_token, highest_modseq = excluded.highest_modseq,
         refused_uid = CASE WHEN f.uid_validity = excluded.uid_validity THEN f.refused_uid END`,
      [
        mailboxId,
        folder.slice(0, 500),
        cursor.uid_validity,
        cursor.last_uid,
        now,
        cursor.sync_token ?? null,
        cursor.modseq ?? null,
      ],
    ),
  )
}

/** Which mails of a folder are already stored. */
export async function findKept(
  pool: Pool,
  mailboxId: string,
  folder: string,
  uid_validity: bigint,
  uids: number[],
): Promise<Set<number>> {
  const { rows } = await pool.query<{ uid: string }>(
    `SELECT uid FROM inbound_messages
     WHERE mailbox_id = $1 AND folder = $2 AND uid_validity = $3 AND uid = ANY ($4::bigint[])`,
    [mailboxId, folder, uid_validity, uids],
  )
  return new Set(rows.map(({ uid }) => Number(uid)))
}

/** Most refusals are temporary; until then the mailbox is shown as unreadable, with the reason. */
const WAIT_MS = 60 * 60_000

/**
 * Records that the server refused a mail. Returns whether that has lasted so long that the mails after it no
 * longer wait. A folder that was never read has no UIDVALIDITY yet, so it starts like a new one.
 */
export async function noteRefused(pool: Pool, mailboxId: string, { folder, uid }: Place, now: Date) {
  const { rows } = await pool.query<{ refused_since: Date }>(
    `INSERT INTO mailbox_folders AS f (mailbox_id, folder, uid_validity, last_uid, refused_uid, refused_since)
     VALUES ($1, $2, 0, 0, $3, $4)
     ON CONFLICT (mailbox_id, folder) DO UPDATE SET refused_uid = excluded.refused_uid,
       refused_since = CASE WHEN f.refused_uid = excluded.refused_uid THEN f.refused_since ELSE excluded.refused_since END
     RETURNING refused_since`,
    [mailboxId, folder.slice(0, 500), uid, now],
  )
  return rows.some(({ refused_since }) => now.getTime() - refused_since.getTime() >= WAIT_MS)
}

/** When the latest stored mail of a folder arrived. */
export async function findLatest(pool: Pool, mailboxId: string, folder: string): Promise<Date | null> {
  const { rows } = await pool.query<{ latest: Date | null }>(
    'SELECT max(received_at) AS latest FROM inbound_messages WHERE mailbox_id = $1 AND folder = $2',
    [mailboxId, folder],
  )
  return rows[0]?.latest ?? null
}

/** When a folder was last found changed and read. */
export async function findLooked(pool: Pool, mailboxId: string, folder: string): Promise<Date | null> {
  const { rows } = await pool.query<{ polled_at: Date | null }>(
    'SELECT polled_at FROM mailbox_folders WHERE mailbox_id = $1 AND folder = $2',
    [mailboxId, folder],
  )
  return rows[0]?.polled_at ?? null
}
