import type { PoolClient } from 'pg'
import { mayRename } from '#lib/domain/domains/sent-folders'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { isHtml } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'

/**
 * A server stores the copy when it accepts the mail; this much is allowed for clock differences and slow
 * folders.
 */
const NEAR_MS = 15 * 60_000
const MOMENT_MS = 2 * 60_000

type Copy = { mail: InboundMail; campaign_lead_id: string; mailbox_id: string; at: Date }
type Sent = {
  kind: 'answer' | 'step'
  id: string
  text: string
  signature: string | null
  subject: string
  host: string | null
  at: Date
}

const SENT = `
  SELECT 'answer' AS kind, m.inbox_message_id AS id, m.text, b.signature, m.subject, b.smtp ->> 'host' AS host, m.at
  FROM threads t JOIN inbox_messages m USING (thread_id) LEFT JOIN mailboxes b ON b.mailbox_id = m.mailbox_id
  WHERE t.campaign_lead_id = $1 AND t.channel = 'email' AND m.kind = 'answer' AND m.mailbox_id = $2
    AND m.server_message_id IS NULL AND m.delivery_status <> 'failed' AND m.at BETWEEN $3 AND $4
  UNION ALL
  SELECT 'step', a.action_id, a.body, NULL, coalesce(a.subject, ''), b.smtp ->> 'host', a.performed_at
  FROM actions a LEFT JOIN mailboxes b ON b.mailbox_id = a.mailbox_id
  WHERE a.campaign_lead_id = $1 AND a.channel = 'email' AND a.mailbox_id = $2 AND a.server_message_id IS NULL
    AND a.status IN ('sending', 'sent', 'uncertain') AND a.body <> '' AND a.performed_at BETWEEN $3 AND $4
  ORDER BY at`

/**
 * Some servers replace our Message-ID with their own (Microsoft 365, Amazon SES), so the copy in the Sent
 * folder looks like a mail written by hand. It is recognized by its text: the same words that left this
 * mailbox to this lead at about that time. The new Message-ID is stored with the sent message, since replies
 * will refer to it. Returns whether the mail was such a copy.
 */
export async function isKnownCopy(client: PoolClient, { mail, campaign_lead_id, mailbox_id, at }: Copy) {
  const said = plain(mail.text)
  if (!said || !mail.message_id) return false
  const near = [new Date(at.getTime() - NEAR_MS), new Date(at.getTime() + NEAR_MS)]
  const { rows } = await client.query<Sent>(SENT, [campaign_lead_id, mailbox_id, ...near])
  const same = rows.find((sent) => isSame(said, sent) || isRewritten({ subject: mail.subject, at }, sent))
  if (!same) return false
  if (same.kind === 'step')
    await client.query('UPDATE actions SET server_message_id = $2 WHERE action_id = $1', [
      same.id,
      mail.message_id,
    ])
  else
    await client.query(
      `UPDATE inbox_messages SET server_message_id = $2,
         response = CASE WHEN delivery_status = 'sent' THEN response ELSE 'Its copy is in the Sent folder.' END,
         delivery_status = 'sent' WHERE inbox_message_id = $1`,
      [same.id, mail.message_id],
    )
  return true
}

/** A reply is sent with a signature; a step with signature and footer after its text. */
function isSame(said: string, { kind, text, signature }: Sent): boolean {
  const words = plain(text)
  if (kind === 'step') return said === words || said.startsWith(`${words} `)
  const own = signature?.trim() ?? ''
  // The signature's fields were filled with the values at that time.
  if (own.includes('{') && said.startsWith(`${words} `)) return true
  return said === words || said === plain(`${words} ${isHtml(own) ? htmlToText(own) : own}`)
}

/**
 * Exchange may regenerate the text from the HTML. For a step sent moments ago the subject is proof enough.
 */
const isRewritten = (copy: { subject: string; at: Date }, { kind, subject, host, at }: Sent): boolean =>
  kind === 'step' &&
  mayRename(host ?? '') &&
  plain(copy.subject) === plain(subject) &&
  Math.abs(copy.at.getTime() - at.getTime()) <= MOMENT_MS

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
