import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import type { InboundKind, Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { FoundLead, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import {
  keepMessages,
  messagePreview,
  messageSubject,
  storableId,
  toDirection,
} from '#lib/services/inbox/arriving/messages'
import { followNew } from '#lib/services/inbox/intent/conversation'
import { asksModel } from '#lib/services/inbox/intent/model'
import { isKnownCopy } from '#lib/services/inbox/sent/own-copies'
import { assignByRule } from '#lib/services/inbox/thread/assignment'
import { mailIntent, showIntents } from '#lib/services/inbox/thread/intents'
import type { Unreadable } from '#lib/services/reading/mail'

/** The lead's name from the list, used if the address is the lead's own: mail does not always name its writer. */
const LISTED_NAME = `(SELECT nullif(concat_ws(' ', p.first_name, p.last_name), '')
  FROM campaign_leads l JOIN people p USING (person_id)
  WHERE l.campaign_lead_id = v.campaign_lead_id AND lower(l.email) = lower(v.counterpart_address))`

export type Arrival = {
  /** Null if the mail is stored with another conversation. */
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
 * Adds mails to their leads' conversations, one per lead. Mail from people makes a conversation unread and open again; mail from
 * programs, or written by the owner, does not. A mail that arrived in two of the owner's mailboxes is added once. Returns the new ones.
 */
export async function keepInConversation<T extends Arrival>(
  client: PoolClient,
  mails: readonly T[],
): Promise<ReadonlySet<T>> {
  const arrivals = await withoutKept(client, mails)
  const [first] = arrivals
  if (!first) return new Set()
  const threads = await openThreads(client, arrivals)
  const said = arrivals.flatMap((arrival) => {
    const thread_id = threads.get(arrival.lead.campaign_lead_id)
    const wants = toDirection(arrival.kind) === 'in' ? mailIntent(arrival.kind, arrival.reading) : null
    const asks = arrival.kind === 'reply' && asksModel(arrival.mail.text, wants)
    const of = { ...arrival, message_id: storableId(arrival.mail.message_id), wants, asks }
    return thread_id ? [{ ...of, thread_id, arrival }] : []
  })
  const ids = await keepMessages(client, said)
  const came = said.filter(({ kind }) => toDirection(kind) === 'in')
  const incoming = came.map(({ thread_id, at }) => ({ inbox_message_id: ids.get(thread_id) ?? '', at }))
  await showIntents(
    client,
    incoming.map(({ inbox_message_id }) => inbox_message_id),
  )
  const { workspace_id } = first.lead
  await followNew(client, workspace_id, incoming)
  await assignByRule(
    client,
    workspace_id,
    said.filter(({ kind }) => isPersons(kind)),
  )
  return new Set(said.map(({ arrival }) => arrival))
}

/** Leaves out mails that their conversations contain already. */
async function withoutKept<T extends Arrival>(client: PoolClient, mails: readonly T[]): Promise<T[]> {
  if (mails.length === 0) return []
  const { rows } = await client.query<{ place: number }>(
    prepared(
      `SELECT v.place FROM unnest($1::int[], $2::uuid[], $3::text[]) v (place, campaign_lead_id, message_id)
       WHERE EXISTS (SELECT 1 FROM threads t JOIN inbox_messages m USING (thread_id)
         WHERE t.campaign_lead_id = v.campaign_lead_id AND t.channel = 'email'
           AND v.message_id IN (m.message_id, m.server_message_id))`,
      [
        mails.map((_, place) => place),
        mails.map(({ lead }) => lead.campaign_lead_id),
        mails.map(({ mail }) => mail.message_id),
      ],
    ),
  )
  const known = new Set(rows.map(({ place }) => place))
  const others: T[] = []
  for (const [place, one] of mails.entries()) {
    if (known.has(place)) continue
    const { mail, lead, mailbox, at } = one
    const copy = { mail, campaign_lead_id: lead.campaign_lead_id, mailbox_id: mailbox.mailbox_id, at }
    if (toDirection(one.kind) === 'out' && (await isKnownCopy(client, copy))) continue
    others.push(one)
  }
  return others
}

/** Creates or updates each lead's conversation with its new message. */
async function openThreads(client: PoolClient, arrivals: readonly Arrival[]): Promise<Map<string, string>> {
  // Replies go to whoever wrote last, but never to a program's address.
  const rows = arrivals.map((one) => ({ ...one, writer: isPersons(one.kind) ? one.mail.from : null }))
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  const { rows: threads } = await client.query<{ thread_id: string; campaign_lead_id: string }>(
    prepared(OPEN, [
      column(({ lead }) => lead.workspace_id),
      column(({ mailbox }) => mailbox.mailbox_id),
      column(({ lead }) => lead.campaign_id),
      column(({ lead }) => lead.campaign_lead_id),
      column(({ lead, writer }) => writer?.address ?? lead.email),
      column(({ writer }) => writer?.name || null),
      column(({ mail }) => messageSubject(mail)),
      column(({ kind }) => isPersons(kind)),
      column((row) => jsonText(listLabels(row))),
      column(({ at }) => at),
      column(({ kind }) => toDirection(kind)),
      column(({ kind }) => kind),
      column((row) => messagePreview(row)),
      rows.flatMap(({ writer, lead }) => (writer ? [lead.campaign_lead_id] : [])),
    ]),
  )
  return new Map(threads.map(({ thread_id, campaign_lead_id }) => [campaign_lead_id, thread_id]))
}

/** Folders are read one by one, so an older message may arrive later; it must not replace the newest one's summary. */
const latest = (column: string, isTold = 'true') =>
  `${column} = CASE WHEN ${isTold} AND excluded.last_message_at >= t.last_message_at
     THEN excluded.${column} ELSE t.${column} END`
const WRITTEN = 'excluded.campaign_lead_id = ANY ($14::uuid[])'

const OPEN = `INSERT INTO threads AS t (workspace_id, mailbox_id, campaign_id, campaign_lead_id, counterpart_address,
    counterpart_name, subject, unread, labels, last_message_at, last_direction, last_kind, preview, message_count)
  SELECT v.workspace_id, v.mailbox_id, v.campaign_id, v.campaign_lead_id, v.counterpart_address,
    coalesce(v.counterpart_name, ${LISTED_NAME}), v.subject, v.unread, ARRAY(SELECT jsonb_array_elements_text(v.labels)),
    v.last_message_at, v.last_direction, v.last_kind, v.preview, 1
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::jsonb[],
    $10::timestamptz[], $11::text[], $12::text[], $13::text[])
    v (workspace_id, mailbox_id, campaign_id, campaign_lead_id, counterpart_address, counterpart_name, subject, unread, labels,
      last_message_at, last_direction, last_kind, preview)
  ON CONFLICT (campaign_lead_id, channel) DO UPDATE SET
    message_count = t.message_count + 1, last_message_at = greatest(t.last_message_at, excluded.last_message_at),
    ${latest('mailbox_id')}, ${latest('last_direction')}, ${latest('last_kind')}, ${latest('preview')},
    ${latest('counterpart_address', WRITTEN)}, ${latest('counterpart_name', WRITTEN)},
    unread = t.unread OR excluded.unread,
    status = CASE WHEN excluded.unread THEN 'open' ELSE t.status END,
    snoozed_until = CASE WHEN excluded.unread THEN NULL ELSE t.snoozed_until END,
    labels = ARRAY(SELECT DISTINCT unnest(t.labels || excluded.labels) ORDER BY 1), updated_at = now()
  RETURNING thread_id, campaign_lead_id`

const isPersons = (kind: InboundKind) => kind === 'reply' || kind === 'unsubscribe'

function listLabels({ kind, unreadable }: Pick<Arrival, 'kind' | 'unreadable'>): string[] {
  const also = unreadable ? ['unreadable'] : []
  if (kind === 'automatic_reply') return ['automatic_reply', ...also]
  if (kind === 'unsubscribe') return ['unsubscribe', ...also]
  return also
}
