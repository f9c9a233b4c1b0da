import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import { withEachKey } from '#lib/db/seal'
import { MAX_TEXT } from '#lib/domain/inbox/bounds'
import type { Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { bareSubject } from '#lib/domain/inbox/subject'
import { readActionId } from '#lib/domain/messages/mail-message'
import { readUnsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import type { Found, FoundLead, InboundMailbox } from '#lib/services/inbox/arrived-mail'

const DAY_MS = 86_400_000
/** How long after a message a mail from its recipient, or a bounce that names only the recipient, is taken for its answer. */
const REPLY_MS = 180 * DAY_MS
const BOUNCE_MS = 30 * DAY_MS

const FOUND = `a.action_id, a.campaign_lead_id, a.campaign_id, a.workspace_id, a.step, a.channel, l.email
  FROM actions a JOIN campaign_leads l USING (campaign_lead_id)`
/** Only what was offered can be answered. */
const OFFERED = `a.status IN ('sending', 'retry', 'sent', 'uncertain', 'failed') AND a.message_id IS NOT NULL`

/**
 * Which message of the mailbox's owner a mail is about, by the strongest link there is: a signed token, a Message-ID, a
 * signed link in what it quotes, the failed recipient of a report, and at last the sender's address.
 */
export async function matchInbound(
  pool: Pool,
  mailbox: InboundMailbox,
  mail: InboundMail,
  reading: Reading,
  receivedAt: Date,
): Promise<Found | null> {
  const isReport = reading.form === 'bounce' || reading.form === 'complaint'
  return (
    (reading.unsubscribe?.by === 'token'
      ? await byToken(pool, mailbox.workspace_id, [reading.unsubscribe.token], 'unsubscribe_token')
      : null) ??
    (await matchThread(pool, mailbox.workspace_id, reading.about)) ??
    (isReport
      ? await byRecipient(pool, mailbox, reading.recipients, receivedAt)
      : ((await byToken(pool, mailbox.workspace_id, quotedTokens(mail), 'quoted_link')) ??
        (await bySender(pool, mailbox, mail, receivedAt))))
  )
}

/**
 * The message whose bounce address a mail came to. Servers and their programs write there, people do not: a message that
 * is neither a report nor automatic is nobody's answer.
 */
export async function matchBounced(pool: Pool, actionId: string, reading: Reading): Promise<Found | null> {
  if (reading.form === 'message') return null
  const { rows } = await pool.query<FoundLead>(
    prepared(`SELECT ${FOUND} WHERE a.action_id = $1 AND l.email IS NOT NULL`, [actionId]),
  )
  return rows[0] ? toFound(rows[0], 'return_path', rows[0].email) : null
}

/** The message itself, where the mail is one that this owner's campaigns sent: a copy of our own. */
export async function matchOwn(
  pool: Pool,
  workspaceId: string,
  messageId: string | null,
): Promise<Found | null> {
  return messageId ? byMessageId(pool, workspaceId, [messageId]) : null
}

/** The conversation that a mail answers, by what it names. */
export const matchThread = async (pool: Pool, workspaceId: string, about: string[]): Promise<Found | null> =>
  (await byMessageId(pool, workspaceId, about)) ?? byConversation(pool, workspaceId, about)

function quotedTokens(mail: InboundMail): string[] {
  const text = `${mail.text.slice(0, MAX_TEXT)} ${mail.html?.slice(0, MAX_TEXT) ?? ''}`
  return [...new Set(text.match(/\bu1\.[A-Za-z0-9_-]{64}(?![A-Za-z0-9_-])/g) ?? [])].slice(0, 5)
}

async function byToken(
  pool: Pool,
  workspaceId: string,
  tokens: string[],
  how: 'unsubscribe_token' | 'quoted_link',
): Promise<Found | null> {
  for (const token of tokens) {
    const ids = withEachKey('unsubscribe', (key) => readUnsubscribeToken(token, key))
    if (ids?.workspace_id !== workspaceId) continue
    const found = `action ${ids.action_id}`
    const { rows } = await pool.query<FoundLead>(
      prepared(`SELECT ${FOUND} WHERE a.action_id = $1 AND a.workspace_id = $2 AND l.email IS NOT NULL`, [
        ids.action_id,
        workspaceId,
      ]),
    )
    if (rows[0]) return { match: { how, found, email: rows[0].email }, lead: rows[0] }
    const past = await pool.query<{ email: string }>(
      prepared('SELECT email FROM past_recipients WHERE action_id = $1 AND workspace_id = $2', [
        ids.action_id,
        workspaceId,
      ]),
    )
    if (past.rows[0]) return { match: { how, found, email: past.rows[0].email }, lead: null }
  }
  return null
}

async function byMessageId(pool: Pool, workspaceId: string, about: string[]): Promise<Found | null> {
  if (about.length === 0) return null
  const { rows } = await pool.query<FoundLead & { place: number }>(
    prepared(
      `SELECT named.place, ${FOUND}
       JOIN unnest($2::text[], $3::uuid[]) WITH ORDINALITY named (id, action_id, place)
         ON a.action_id = named.action_id OR (a.workspace_id = $1 AND a.server_message_id = named.id)
       WHERE a.workspace_id = $1 AND ${OFFERED} ORDER BY named.place LIMIT 1`,
      [workspaceId, about, about.map(readActionId)],
    ),
  )
  const [row] = rows
  return row ? toFound(row, 'message_id', about[row.place - 1] ?? '') : null
}

/** It answers something said later in the conversation, by hand; what was forwarded is answered by others. */
async function byConversation(pool: Pool, workspaceId: string, about: string[]): Promise<Found | null> {
  if (about.length === 0) return null
  const { rows } = await pool.query<FoundLead & { named: string }>(
    prepared(
      `SELECT CASE WHEN m.message_id = ANY ($2) THEN m.message_id ELSE m.server_message_id END AS named, ${FOUND}
       JOIN threads t ON t.campaign_lead_id = a.campaign_lead_id
       JOIN inbox_messages m ON m.thread_id = t.thread_id AND m.workspace_id = $1 AND m.kind <> 'forward'
         AND (m.message_id = ANY ($2) OR m.server_message_id = ANY ($2))
       WHERE a.workspace_id = $1 AND ${OFFERED} ORDER BY a.step DESC LIMIT 1`,
      [workspaceId, about],
    ),
  )
  return rows[0] ? toFound(rows[0], 'conversation', rows[0].named) : null
}

/** Only where all that the report names leads to one lead's address: else it is not known which one failed. */
async function byRecipient(pool: Pool, mailbox: InboundMailbox, recipients: string[], receivedAt: Date) {
  if (recipients.length === 0) return null
  const { rows } = await pool.query<FoundLead>(
    prepared(
      `SELECT DISTINCT ON (l.email) ${FOUND}
       WHERE l.workspace_id = $1 AND l.email = ANY ($2) AND a.mailbox_id = $3 AND a.performed_at > $4 AND ${OFFERED}
       ORDER BY l.email, a.performed_at DESC`,
      [mailbox.workspace_id, recipients, mailbox.mailbox_id, new Date(receivedAt.getTime() - BOUNCE_MS)],
    ),
  )
  const [row, another] = rows
  return row && !another ? toFound(row, 'recipient', row.email) : null
}

/** Of several leads with the address: the thread's subject, then the mailbox it wrote to, then the latest message. */
async function bySender(
  pool: Pool,
  mailbox: InboundMailbox,
  mail: InboundMail,
  receivedAt: Date,
): Promise<Found | null> {
  if (!mail.from) return null
  const { rows } = await pool.query<FoundLead & { thread_subject: string | null }>(
    prepared(
      `SELECT l.thread_subject, ${FOUND}
       WHERE l.workspace_id = $1 AND l.email = $2 AND a.performed_at > $4 AND ${OFFERED}
       ORDER BY (a.mailbox_id = $3) DESC, a.performed_at DESC LIMIT 50`,
      [
        mailbox.workspace_id,
        mail.from.address,
        mailbox.mailbox_id,
        new Date(receivedAt.getTime() - REPLY_MS),
      ],
    ),
  )
  const subject = bareSubject(mail.subject)
  const same = rows.find((row) => subject !== '' && bareSubject(row.thread_subject ?? '') === subject)
  if (same) return toFound(same, 'sender_and_subject', mail.from.address)
  return rows[0] ? toFound(rows[0], 'sender_address', mail.from.address) : null
}

function toFound(row: FoundLead, how: Found['match']['how'], by: string): Found {
  const { action_id, campaign_lead_id, campaign_id, workspace_id, step, channel, email } = row
  return {
    match: { how, found: by, email },
    lead: { action_id, campaign_lead_id, campaign_id, workspace_id, step, channel, email },
  }
}
