import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { hidden, prepared } from '#lib/db/prepared'
import { MAX_RAW } from '#lib/domain/inbox/bounds'
import type { InboundKind, Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { ArrivedMail, Found, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { type MailReader, readArrived, type Unreadable } from '#lib/services/reading/mail'

const MAX_KEPT = 256 * 1024
/** No index takes a longer one. */
const MAX_KEY = 500

export type Judged = {
  mailbox: InboundMailbox
  arrived: ArrivedMail
  mail: InboundMail
  reading: Reading
  unreadable: Unreadable | null
  matched: Found | null
  kind: InboundKind
  evidence: { rule: string; found: string }[]
}

export type OpenedMail = Awaited<ReturnType<typeof readArrived>>

/**
 * What a mail says, and what it is known by; null for one that was taken in before. Whether it was is asked before it is read, so
 * that one which kills its reader does so once.
 */
export async function readOnce(
  pool: Pool,
  mailbox: InboundMailbox,
  arrived: ArrivedMail,
  reader?: MailReader,
): Promise<{ read: OpenedMail; key: string } | null> {
  const digest = `sha256:${createHash('sha256').update(arrived.raw).digest('hex')}`
  if (await isKnown(pool, mailbox, arrived, digest)) return null
  const read = await readArrived(mailbox.workspace_id, arrived.raw, arrived.received_at, reader)
  const { message_id } = read.mail
  const named = read.unreadable || !message_id || message_id.length > MAX_KEY ? digest : message_id
  // What left may have come in as well, in a copy that says less.
  const key = arrived.is_sent ? `sent:${named}` : named
  if (key !== digest && (await isKnown(pool, mailbox, arrived, key))) return null
  return { read, key }
}

async function isKnown(
  pool: Pool,
  { mailbox_id }: InboundMailbox,
  { folder, uid_validity, uid }: ArrivedMail,
  key: string,
): Promise<boolean> {
  const { rows } = await pool.query(
    prepared(
      `SELECT 1 FROM inbound_messages WHERE mailbox_id = $1
       AND (message_key = ${hidden('$2::text')} OR (folder = ${hidden('$3::text')} AND uid_validity = $4 AND uid = ${hidden('$5::bigint')})) LIMIT 1`,
      [mailbox_id, key, folder, uid_validity, uid],
    ),
  )
  return rows.length > 0
}

/** Null where another worker kept it first. Of mail that is none of ours only the fact is kept. */
export async function storeMail(client: PoolClient, judged: Judged, key: string): Promise<string | null> {
  const { mailbox, arrived, mail, kind, evidence, matched, reading, unreadable } = judged
  // What could not be read may be anything, an answer too: it is kept for its owner to look at.
  const isOurs = kind !== 'unrelated' || unreadable !== null
  const { bounce, returns_on, feedback_type } = reading
  const { message_ids: _ids, evidence: _evidence, ...bounced } = bounce ?? {}
  const detail = { bounce: bounce && bounced, returns_on, feedback_type }
  const { rows } = await client.query<{ inbound_message_id: string }>(
    prepared(
      `INSERT INTO inbound_messages (workspace_id, mailbox_id, folder, uid_validity, uid, message_key, kind, evidence, detail,
         from_address, subject, campaign_id, campaign_lead_id, action_id, size_bytes, raw, received_at, unreadable)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
       ON CONFLICT DO NOTHING RETURNING inbound_message_id`,
      [
        mailbox.workspace_id,
        mailbox.mailbox_id,
        arrived.folder,
        arrived.uid_validity,
        arrived.uid,
        key,
        kind,
        jsonText(isOurs ? evidence : evidence.map(({ rule }) => ({ rule, found: '' }))),
        jsonText(isOurs ? detail : {}),
        isOurs ? (mail.from?.address ?? null) : null,
        isOurs ? mail.subject.slice(0, 1_000) : null,
        (isOurs && matched?.lead?.campaign_id) || null,
        (isOurs && matched?.lead?.campaign_lead_id) || null,
        (isOurs && matched?.lead?.action_id) || null,
        arrived.size_bytes,
        unreadable
          ? Buffer.from(arrived.raw.subarray(0, MAX_RAW))
          : isOurs && arrived.size_bytes <= MAX_KEPT
            ? Buffer.from(arrived.raw)
            : null,
        arrived.received_at,
        unreadable,
      ],
    ),
  )
  return rows[0]?.inbound_message_id ?? null
}
