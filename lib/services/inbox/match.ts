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
/** How long after a message a mail from its recipient, or a bounce naming only the recipient, counts as a reply to it. */
const REPLY_MS = 180 * DAY_MS
const BOUNCE_MS = 30 * DAY_MS

const FOUND = `a.action_id, a.campaign_lead_id, a.campaign_id, a.workspace_id, a.step, a.channel, l.email
  FROM actions a JOIN campaign_leads l USING (campaign_lead_id)`
/** Statuses of messages that were offered, and so can be replied to. */
const OFFERED = `a.status IN ('sending', 'retry', 'sent', 'uncertain', 'failed') AND a.message_id IS NOT NULL`

type Asked = { mail: InboundMail; reading: Reading; received_at: Date }

/**
 * Finds which of the owner's messages each mail refers to, by the strongest evidence available: a signed token, a Message-ID, a
 * signed link in the quoted text, the failed recipient of a report, and finally the sender's address.
 */
export async function matchInbound(
  pool: Pool,
  mailbox: InboundMailbox,
  mails: readonly Asked[],
): Promise<(Found | null)[]> {
  const { workspace_id } = mailbox
  const threads = await matchThreads(
    pool,
    workspace_id,
    mails.map(({ reading }) => reading.about),
  )
  const named: (Found | null)[] = []
  for (const [index, { mail, reading, received_at }] of mails.entries())
    named.push(
      (reading.unsubscribe?.by === 'token'
        ? await byToken(pool, workspace_id, [reading.unsubscribe.token], 'unsubscribe_token')
        : null) ??
        threads[index] ??
        (isReport(reading)
          ? await byRecipient(pool, mailbox, reading.recipients, received_at)
          : await byToken(pool, workspace_id, quotedTokens(mail), 'quoted_link')),
    )
  const isOpen = (index: number, { mail, reading }: Asked) =>
    !isReport(reading) && !isFinal(named[index] ?? null, mail, reading)
  const senders = await bySender(
    pool,
    mailbox,
    mails.map((asked, index) => (isOpen(index, asked) ? asked : null)),
  )
  return named.map((found, index) => senders[index] ?? found)
}

/**
 * Finds writers who are leads themselves, but not the lead their mail refers to: the message was forwarded to them. They count as
 * having replied too.
 */
export async function matchWriters(
  pool: Pool,
  mailbox: InboundMailbox,
  mails: readonly (Asked & { matched: Found | null })[],
): Promise<(FoundLead | null)[]> {
  const isOthers = ({ matched, mail: { from } }: (typeof mails)[number]) =>
    matched?.lead && from && from.address !== matched.lead.email
  const senders = await bySender(
    pool,
    mailbox,
    mails.map((one) => (isOthers(one) ? one : null)),
  )
  return senders.map((found) => found?.lead ?? null)
}

/**
 * Whether the match is final. A link of a deleted campaign names an address but no lead, so other messages to its sender are looked
 * for too, unless the mail is an unsubscribe, which concerns that address.
 */
function isFinal(found: Found | null, { from }: InboundMail, { unsubscribe }: Reading): boolean {
  if (found?.lead || found?.match.how !== 'quoted_link') return found !== null
  return unsubscribe?.by === 'words' && found.match.email !== from?.address
}

const isReport = ({ form }: Reading) => form === 'bounce' || form === 'complaint'

/**
 * The message whose bounce address a mail was sent to. Only servers write there, so a mail that is neither a report nor automatic
 * is not a reply.
 */
export async function matchBounced(pool: Pool, actionId: string, reading: Reading): Promise<Found | null> {
  if (reading.form === 'message') return null
  const { rows } = await pool.query<FoundLead>(
    prepared(`SELECT ${FOUND} WHERE a.action_id = $1 AND l.email IS NOT NULL`, [actionId]),
  )
  return rows[0] ? toFound(rows[0], 'return_path', rows[0].email) : null
}

/** For a copy of a mail that the owner's campaigns sent: that message. */
export const matchOwn = (
  pool: Pool,
  workspaceId: string,
  messageIds: readonly (string | null)[],
): Promise<(Found | null)[]> =>
  byMessageId(
    pool,
    workspaceId,
    messageIds.map((id) => (id ? [id] : [])),
  )

/** The conversation each mail replies to, by the Message-IDs it refers to. */
export async function matchThreads(
  pool: Pool,
  workspaceId: string,
  abouts: readonly string[][],
): Promise<(Found | null)[]> {
  const named = await byMessageId(pool, workspaceId, abouts)
  const others = abouts.map((about, index) => (named[index] ? [] : about))
  const talked = await byConversation(pool, workspaceId, others)
  return abouts.map((_, index) => named[index] ?? talked[index] ?? null)
}

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

async function byMessageId(
  pool: Pool,
  workspaceId: string,
  abouts: readonly string[][],
): Promise<(Found | null)[]> {
  const ids = [...new Set(abouts.flat())]
  if (ids.length === 0) return abouts.map(() => null)
  const { rows } = await pool.query<FoundLead & { named: string }>(
    prepared(
      `SELECT named.id AS named, ${FOUND}
       JOIN unnest($2::text[], $3::uuid[]) named (id, action_id)
         ON a.action_id = named.action_id OR (a.workspace_id = $1 AND a.server_message_id = named.id)
       WHERE a.workspace_id = $1 AND ${OFFERED}`,
      [workspaceId, ids, ids.map(readActionId)],
    ),
  )
  const known = new Map(rows.map((row) => [row.named, row]))
  return abouts.map((about) => {
    const row = about.flatMap((id) => known.get(id) ?? [])[0]
    return row ? toFound(row, 'message_id', row.named) : null
  })
}

/** Replies to a mail written by hand later in the conversation. Forwards do not count, since others reply to them. */
async function byConversation(
  pool: Pool,
  workspaceId: string,
  abouts: readonly string[][],
): Promise<(Found | null)[]> {
  const ids = [...new Set(abouts.flat())]
  if (ids.length === 0) return abouts.map(() => null)
  const { rows } = await pool.query<FoundLead & { names: (string | null)[] }>(
    prepared(
      `SELECT ARRAY[m.message_id, m.server_message_id] AS names, ${FOUND}
       JOIN threads t ON t.campaign_lead_id = a.campaign_lead_id
       JOIN inbox_messages m ON m.thread_id = t.thread_id AND m.workspace_id = $1 AND m.kind <> 'forward'
         AND (m.message_id = ANY ($2) OR m.server_message_id = ANY ($2))
       WHERE a.workspace_id = $1 AND ${OFFERED} ORDER BY a.step DESC`,
      [workspaceId, ids],
    ),
  )
  return abouts.map((about) => {
    for (const row of rows) {
      const name = row.names.find((one) => one !== null && about.includes(one))
      if (name) return toFound(row, 'conversation', name)
    }
    return null
  })
}

/** Only if everything the report names leads to one lead's address; otherwise it is unknown which one failed. */
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

/** Chooses among several leads with the address: by the thread's subject, then the mailbox it wrote to, then the latest message. */
async function bySender(
  pool: Pool,
  { workspace_id, mailbox_id }: InboundMailbox,
  mails: readonly (Asked | null)[],
): Promise<(Found | null)[]> {
  const asked = mails.flatMap((one, place) =>
    one?.mail.from ? [{ ...one, place, from: one.mail.from }] : [],
  )
  if (asked.length === 0) return mails.map(() => null)
  const { rows } = await pool.query<FoundLead & { place: number; thread_subject: string | null }>(
    prepared(
      `SELECT asked.place, known.* FROM unnest($2::int[], $4::text[], $5::timestamptz[]) asked (place, email, since)
       CROSS JOIN LATERAL (SELECT l.thread_subject, ${FOUND}
         WHERE l.workspace_id = $1 AND l.email = asked.email AND a.performed_at > asked.since AND ${OFFERED}
         ORDER BY (a.mailbox_id = $3) DESC, a.performed_at DESC LIMIT 50) known`,
      [
        workspace_id,
        asked.map(({ place }) => place),
        mailbox_id,
        asked.map(({ from }) => from.address),
        asked.map(({ received_at }) => new Date(received_at.getTime() - REPLY_MS)),
      ],
    ),
  )
  const ofPlace = Map.groupBy(rows, ({ place }) => place)
  return mails.map((one, place) => {
    const leads = ofPlace.get(place) ?? []
    const { address = '' } = one?.mail.from ?? {}
    const subject = bareSubject(one?.mail.subject ?? '')
    const same = leads.find((row) => subject !== '' && bareSubject(row.thread_subject ?? '') === subject)
    if (same) return toFound(same, 'sender_and_subject', address)
    return leads[0] ? toFound(leads[0], 'sender_address', address) : null
  })
}

function toFound(row: FoundLead, how: Found['match']['how'], by: string): Found {
  const { action_id, campaign_lead_id, campaign_id, workspace_id, step, channel, email } = row
  return {
    match: { how, found: by, email },
    lead: { action_id, campaign_lead_id, campaign_id, workspace_id, step, channel, email },
  }
}
