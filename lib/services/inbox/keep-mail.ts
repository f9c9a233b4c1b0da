import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { MAX_RAW } from '#lib/domain/inbox/bounds'
import type { InboundKind, Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { ArrivedMail, Found, FoundLead, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { type MailReader, readArrived, readHead, type Unreadable } from '#lib/services/reading/mail'

const MAX_KEPT = 256 * 1024
/** Longest key that fits an index. */
const MAX_KEY = 500

export type Judged = {
  mailbox: InboundMailbox
  arrived: ArrivedMail
  mail: InboundMail
  reading: Reading
  unreadable: Unreadable | null
  matched: Found | null
  /** The writer's own lead, if they are a lead and the mail refers to a message sent to another one. */
  writer: FoundLead | null
  kind: InboundKind
  evidence: { rule: string; found: string }[]
}

export type OpenedMail = Awaited<ReturnType<typeof readArrived>>

/** A mail that is new, its parsed content, and the key that identifies it. */
export type Opened = { arrived: ArrivedMail; read: OpenedMail; key: string }

/**
 * Parses the mails that are new. Whether a mail is known is checked before parsing, so that one that crashes
 * the parser does so only once.
 */
export async function openNew(
  pool: Pool,
  mailbox: InboundMailbox,
  arrivals: readonly ArrivedMail[],
  reader?: MailReader,
): Promise<Opened[]> {
  const digested = arrivals.map((arrived) => ({
    arrived,
    key: arrived.is_refused
      ? placeKey(arrived)
      : `sha256:${createHash('sha256').update(arrived.raw).digest('hex')}`,
  }))
  const opened = await Promise.all(
    (await withoutKnown(pool, mailbox, digested)).map(async ({ arrived, key }) => {
      const { raw, received_at } = arrived
      const read = arrived.is_refused
        ? await readHead(mailbox.workspace_id, raw, received_at, 'refused', reader)
        : await readArrived(mailbox.workspace_id, raw, received_at, reader)
      const { message_id } = read.mail
      const named = read.unreadable || !message_id || message_id.length > MAX_KEY ? key : message_id
      // A sent mail may also have been received, as a copy with less information.
      return { arrived, read, key: arrived.is_sent ? `sent:${named}` : named }
    }),
  )
  return withoutKnown(pool, mailbox, opened)
}

/** The key of a mail without any identification of its own: its place in the folder. */
export const placeKey = ({
  folder,
  uid_validity,
  uid,
}: Pick<ArrivedMail, 'folder' | 'uid_validity' | 'uid'>) =>
  `unread:${folder.slice(0, 200)}:${uid_validity}:${uid}`

async function withoutKnown<T extends { arrived: ArrivedMail; key: string }>(
  pool: Pool,
  { mailbox_id }: InboundMailbox,
  mails: T[],
): Promise<T[]> {
  if (mails.length === 0) return []
  const { rows } = await pool.query<{ place: number }>(
    prepared(
      `SELECT a.place::int FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])
         WITH ORDINALITY a (message_key, folder, uid_validity, uid, place)
       WHERE NOT EXISTS (SELECT 1 FROM inbound_messages i
           WHERE i.mailbox_id = $1 AND i.message_key = a.message_key)
         AND NOT EXISTS (SELECT 1 FROM inbound_messages i
           WHERE i.mailbox_id = $1 AND i.folder = a.folder AND i.uid_validity = a.uid_validity AND i.uid = a.uid)`,
      [
        mailbox_id,
        mails.map(({ key }) => key),
        mails.map(({ arrived }) => arrived.folder),
        mails.map(({ arrived }) => arrived.uid_validity),
        mails.map(({ arrived }) => arrived.uid),
      ],
    ),
  )
  const unknown = new Set(rows.map(({ place }) => place))
  return mails.filter((_, index) => unknown.has(index + 1))
}

type Kept = { judged: Judged; key: string }

/**
 * Stores mails; of a mail unrelated to this instance, only the fact. Returns their ids, null for a mail that
 * another worker stored first.
 */
export async function storeMails(client: PoolClient, mails: readonly Kept[]): Promise<(string | null)[]> {
  const rows = mails.map(({ judged, key }) => ({ ...toRow(judged), key }))
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  const { rows: stored } = await client.query<{ inbound_message_id: string; place: string }>(
    prepared(
      `INSERT INTO inbound_messages (workspace_id, mailbox_id, folder, uid_validity, uid, message_key, kind, evidence, detail,
         from_address, subject, campaign_id, campaign_lead_id, action_id, size_bytes, raw, received_at, unreadable)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::"InboundKind"[],
         $8::jsonb[], $9::jsonb[], $10::text[], $11::text[], $12::uuid[], $13::uuid[], $14::uuid[], $15::int[], $16::bytea[],
         $17::timestamptz[], $18::text[])
       ON CONFLICT DO NOTHING RETURNING inbound_message_id, ${PLACE} AS place`,
      [
        column(({ mailbox }) => mailbox.workspace_id),
        column(({ mailbox }) => mailbox.mailbox_id),
        column(({ arrived }) => arrived.folder),
        column(({ arrived }) => arrived.uid_validity),
        column(({ arrived }) => arrived.uid),
        column(({ key }) => key),
        column(({ kind }) => kind),
        column(({ evidence }) => jsonText(evidence)),
        column(({ detail }) => jsonText(detail)),
        column(({ from_address }) => from_address),
        column(({ subject }) => subject),
        column(({ lead }) => lead?.campaign_id ?? null),
        column(({ lead }) => lead?.campaign_lead_id ?? null),
        column(({ lead }) => lead?.action_id ?? null),
        column(({ arrived }) => arrived.size_bytes),
        column(({ raw }) => raw),
        column(({ arrived }) => arrived.received_at),
        column(({ unreadable }) => unreadable),
      ],
    ),
  )
  const ids = new Map(stored.map(({ place, inbound_message_id }) => [place, inbound_message_id]))
  return mails.map(({ judged: { arrived } }) => {
    const place = `${arrived.uid_validity}/${arrived.uid}/${arrived.folder}`
    const id = ids.get(place) ?? null
    // Of two rows for one place, only the first one was stored.
    ids.delete(place)
    return id
  })
}

const PLACE = `uid_validity || '/' || uid || '/' || folder`

function toRow({ mailbox, arrived, mail, kind, evidence, matched, reading, unreadable }: Judged) {
  // An unreadable mail may be anything, even a reply, so it is kept for its owner to look at.
  const isOurs = kind !== 'unrelated' || unreadable !== null
  const { bounce, returns_on, feedback_type } = reading
  const { message_ids: _ids, evidence: _evidence, ...bounced } = bounce ?? {}
  const of = { mailbox, arrived, kind, unreadable }
  if (!isOurs) {
    const rules = evidence.map(({ rule }) => ({ rule, found: '' }))
    return { ...of, evidence: rules, detail: {}, from_address: null, subject: null, lead: null, raw: null }
  }
  return {
    ...of,
    evidence,
    detail: { bounce: bounce && bounced, returns_on, feedback_type },
    from_address: mail.from?.address ?? null,
    subject: mail.subject.slice(0, 1_000),
    lead: matched?.lead ?? null,
    raw: keptBytes(arrived, unreadable),
  }
}

function keptBytes({ raw, size_bytes }: ArrivedMail, unreadable: Unreadable | null): Buffer | null {
  if (unreadable) return Buffer.from(raw.subarray(0, MAX_RAW))
  return size_bytes <= MAX_KEPT ? Buffer.from(raw) : null
}
