import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import type { InboundKind } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import type { InboundMailbox } from '#lib/services/inbox/arrived-mail'
import type { Unreadable } from '#lib/services/reading/mail'

/** The most characters a preview is made from. */
const MAX_PREVIEWED = 4_000
/** Longer addresses are not real, and too long for an index. */
const MAX_ID = 500

export type NewMessage = {
  thread_id: string
  mailbox: InboundMailbox
  mail: InboundMail
  kind: InboundKind
  unreadable: Unreadable | null
  /** Null if the mail is stored with another conversation. */
  inbound_message_id: string | null
  at: Date
  /** Identifies the message within its conversation; null if it has no Message-ID, or another message has the same. */
  message_id: string | null
  wants: ReadIntent | null
  /** Whether a language model is asked for its intent. */
  asks: boolean
}

/** Stores new messages, one per conversation; `followNew` acts on their intents. Returns their ids by conversation. */
export async function keepMessages(
  client: PoolClient,
  messages: readonly NewMessage[],
): Promise<ReadonlyMap<string, string>> {
  const column = <T>(pick: (message: NewMessage) => T) => messages.map(pick)
  const { rows } = await client.query<{ thread_id: string; inbox_message_id: string }>(
    prepared(KEEP, [
      column(({ thread_id }) => thread_id),
      column(({ mailbox }) => mailbox.workspace_id),
      column(({ mailbox }) => mailbox.mailbox_id),
      column(({ kind }) => toDirection(kind)),
      column(({ kind }) => kind),
      column(({ mail }) => mail.from?.address ?? ''),
      column(({ mail }) => mail.from?.name || null),
      column(({ mail }) => jsonText(mail.recipients)),
      column(({ mail }) => jsonText(mail.cc)),
      column(({ mail }) => messageSubject(mail)),
      column(({ mail }) => mail.text),
      column(({ mail }) => mail.html),
      column(({ message_id }) => message_id),
      column(({ mail }) => storableId(mail.in_reply_to[0] ?? null)),
      column(({ mail }) => jsonText(mail.references.filter((id) => id.length <= MAX_ID).slice(-50))),
      column(({ mail }) => jsonText(mail.attachments.slice(0, 100))),
      column(({ inbound_message_id }) => inbound_message_id),
      column(({ at }) => at),
      column(({ unreadable }) => unreadable),
      column(({ wants }) => wants?.intent ?? null),
      column(({ wants }) => wants?.evidence || null),
      column(({ wants }) => wants?.until ?? null),
      column(({ wants }) => wants?.referral?.name ?? null),
      column(({ wants }) => wants?.referral?.email ?? null),
      column(({ asks, at }) => (asks ? at : null)),
    ]),
  )
  const ids = new Map(rows.map(({ thread_id, inbox_message_id }) => [thread_id, inbox_message_id]))
  if (ids.size < messages.length) throw new Error('a message was not kept')
  return ids
}

const KEEP = `INSERT INTO inbox_messages (thread_id, workspace_id, mailbox_id, direction, kind, from_address, from_name,
    recipients, cc, subject, text, html, message_id, in_reply_to, "references", attachments, inbound_message_id, at, unreadable,
    intent, intent_by, ruled_intents, intent_evidence, intent_until, referral_name, referral_email, ask_model_at)
  SELECT v.thread_id, v.workspace_id, v.mailbox_id, v.direction, v.kind, v.from_address, v.from_name, v.recipients,
    ARRAY(SELECT jsonb_array_elements_text(v.cc)), v.subject, v.text, v.html, v.message_id, v.in_reply_to,
    ARRAY(SELECT jsonb_array_elements_text(v.named)), v.attachments, v.inbound_message_id, v.at, v.unreadable,
    v.intent, CASE WHEN v.intent IS NOT NULL THEN 'rules'::"IntentSource" END,
    array_remove(ARRAY[v.intent], NULL), v.evidence, v.until, v.referral_name,
    v.referral_email, v.ask_model_at
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::jsonb[], $16::jsonb[], $17::uuid[],
    $18::timestamptz[], $19::text[], $20::"Intent"[], $21::text[], $22::date[], $23::text[], $24::text[], $25::timestamptz[])
    v (thread_id, workspace_id, mailbox_id, direction, kind, from_address, from_name, recipients, cc, subject, text, html,
      message_id, in_reply_to, named, attachments, inbound_message_id, at, unreadable, intent, evidence, until, referral_name,
      referral_email, ask_model_at)
  RETURNING thread_id, inbox_message_id`

export const toDirection = (kind: InboundKind) => (kind === 'own_message' ? 'out' : 'in')

export const storableId = (id: string | null) => (id && id.length <= MAX_ID ? id : null)

export function messagePreview({ mail, unreadable }: Pick<NewMessage, 'mail' | 'unreadable'>): string {
  if (unreadable) return 'This email could not be read.'
  const words = (mail.new_text || mail.text).slice(0, MAX_PREVIEWED)
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

/** Removes the one-click unsubscribe token, which means nothing to people. */
export function messageSubject({ subject }: InboundMail): string {
  const [before = '', ...after] = subject.split(/\bu1\.[A-Za-z0-9_-]{64}/, 2)
  return [before.trimEnd(), ...after].join('').trim()
}
