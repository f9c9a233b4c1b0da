import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import type { InboundKind, Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { FoundLead, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { followInConversation } from '#lib/services/inbox/intent/conversation'
import { askModel } from '#lib/services/inbox/intent/model'
import { isKnownCopy } from '#lib/services/inbox/sent/own-copies'
import { assignByRule } from '#lib/services/inbox/thread/assignment'
import { keepIntent, mailIntent } from '#lib/services/inbox/thread/intents'
import type { Unreadable } from '#lib/services/reading/mail'

/** A preview is made from no more, blank as it may be. */
const MAX_PREVIEWED = 4_000
/** Longer ones are nobody's, and no index takes them. */
const MAX_ID = 500

/** What the list calls the lead, whose own address it is ($4, $5): mail does not always say who wrote it. */
const LISTED_NAME = `(SELECT nullif(concat_ws(' ', p.first_name, p.last_name), '')
  FROM campaign_leads l JOIN people p USING (person_id)
  WHERE l.campaign_lead_id = $4 AND lower(l.email) = lower($5))`

type Arrival = {
  /** Null where its mail is kept with another conversation. */
  inbound_message_id: string | null
  mail: InboundMail
  reading: Reading
  kind: InboundKind
  unreadable: Unreadable | null
  mailbox: InboundMailbox
  lead: FoundLead
  at: Date
}

/**
 * Puts a mail into the lead's conversation. What people write makes it unread and open again; what programs write, and
 * what the owner wrote by hand, does not. The same mail that came to two mailboxes of the owner stands in it once. Answers
 * whether it is new there.
 */
export async function keepInConversation(client: PoolClient, arrival: Arrival): Promise<boolean> {
  const { mail, kind, lead, mailbox, at } = arrival
  const direction = toDirection(kind)
  const isPersons = kind === 'reply' || kind === 'unsubscribe'
  // Answers are for whoever wrote last; a program's address takes none.
  const writer = isPersons ? mail.from : null
  const preview = messagePreview(arrival)
  const labels = listLabels(arrival)
  const known = await client.query(
    prepared(
      `SELECT 1 FROM threads t JOIN inbox_messages m USING (thread_id)
       WHERE t.campaign_lead_id = $1 AND t.channel = 'email' AND $2 IN (m.message_id, m.server_message_id)`,
      [lead.campaign_lead_id, mail.message_id],
    ),
  )
  if (known.rows.length > 0) return false
  const { campaign_lead_id } = lead
  const copy = { mail, campaign_lead_id, mailbox_id: mailbox.mailbox_id, at }
  if (direction === 'out' && (await isKnownCopy(client, copy))) return false
  const { rows } = await client.query<{ thread_id: string }>(
    prepared(
      `INSERT INTO threads AS t (workspace_id, mailbox_id, campaign_id, campaign_lead_id, counterpart_address, counterpart_name,
         subject, unread, labels, last_message_at, last_direction, last_kind, preview, message_count)
       VALUES ($1, $2, $3, $4, $5, coalesce($6, ${LISTED_NAME}), $7, $8, $9, $10, $11, $12, $13, 1)
       ON CONFLICT (campaign_lead_id, channel) DO UPDATE SET
         message_count = t.message_count + 1, last_message_at = greatest(t.last_message_at, excluded.last_message_at),
         ${latest('mailbox_id')}, ${latest('last_direction')}, ${latest('last_kind')}, ${latest('preview')},
         ${latest('counterpart_address', '$14')}, ${latest('counterpart_name', '$14')},
         unread = t.unread OR excluded.unread,
         status = CASE WHEN excluded.unread THEN 'open' ELSE t.status END,
         snoozed_until = CASE WHEN excluded.unread THEN NULL ELSE t.snoozed_until END,
         labels = ARRAY(SELECT DISTINCT unnest(t.labels || excluded.labels) ORDER BY 1), updated_at = now()
       RETURNING thread_id`,
      [
        lead.workspace_id,
        mailbox.mailbox_id,
        lead.campaign_id,
        lead.campaign_lead_id,
        writer?.address ?? lead.email,
        writer?.name || null,
        messageSubject(mail),
        isPersons,
        labels,
        at,
        direction,
        kind,
        preview,
        writer !== null,
      ],
    ),
  )
  if (!rows[0]) return false
  const { thread_id } = rows[0]
  const messageId = await keepMessage(client, thread_id, arrival, storableId(mail.message_id))
  if (direction === 'in') {
    const wants = mailIntent(kind, arrival.reading)
    await keepIntent(client, thread_id, messageId, wants)
    if (kind === 'reply') await askModel(client, { thread_id, message_id: messageId }, wants, at)
    await followInConversation(client, lead.workspace_id, messageId, at)
  }
  if (isPersons) await assignByRule(client, lead.workspace_id, thread_id, at)
  return true
}

/** One message of a conversation. `messageId` tells it from the others there; null where it has none, or one of another's. */
export async function keepMessage(
  client: PoolClient,
  threadId: string,
  { mail, kind, unreadable, mailbox, inbound_message_id, at }: Omit<Arrival, 'lead' | 'reading'>,
  messageId: string | null,
): Promise<string> {
  const { rows } = await client.query<{ inbox_message_id: string }>(
    prepared(
      `INSERT INTO inbox_messages (thread_id, workspace_id, mailbox_id, direction, kind, from_address, from_name, recipients, cc,
         subject, text, html, message_id, in_reply_to, "references", attachments, inbound_message_id, at, unreadable)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
       RETURNING inbox_message_id`,
      [
        threadId,
        mailbox.workspace_id,
        mailbox.mailbox_id,
        toDirection(kind),
        kind,
        mail.from?.address ?? '',
        mail.from?.name || null,
        jsonText(mail.recipients),
        mail.cc,
        messageSubject(mail),
        mail.text,
        mail.html,
        messageId,
        storableId(mail.in_reply_to[0] ?? null),
        mail.references.filter((id) => id.length <= MAX_ID).slice(-50),
        jsonText(mail.attachments.slice(0, 100)),
        inbound_message_id,
        at,
        unreadable,
      ],
    ),
  )
  if (!rows[0]) throw new Error('a message was not kept')
  return rows[0].inbox_message_id
}

const toDirection = (kind: InboundKind) => (kind === 'own_message' ? 'out' : 'in')

export function messagePreview({ mail, unreadable }: Pick<Arrival, 'mail' | 'unreadable'>): string {
  if (unreadable) return 'This email could not be read.'
  const words = (mail.new_text || mail.text).slice(0, MAX_PREVIEWED)
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** Folders are read one after the other, so an older message may come in later; what is told of the newest stays. */
const latest = (column: string, isTold = 'true') =>
  `${column} = CASE WHEN ${isTold} AND excluded.last_message_at >= t.last_message_at
     THEN excluded.${column} ELSE t.${column} END`

/** Without the token by which a mail program unsubscribes, which says nothing to people. */
export function messageSubject({ subject }: InboundMail): string {
  const [before = '', ...after] = subject.split(/\bu1\.[A-Za-z0-9_-]{64}/, 2)
  return [before.trimEnd(), ...after].join('').trim()
}

const storableId = (id: string | null) => (id && id.length <= MAX_ID ? id : null)

function listLabels({ kind, unreadable }: Arrival): string[] {
  const also = unreadable ? ['unreadable'] : []
  if (kind === 'automatic_reply') return ['automatic_reply', ...also]
  if (kind === 'unsubscribe') return ['unsubscribe', ...also]
  return also
}
