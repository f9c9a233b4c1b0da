import type { Pool } from 'pg'
import { prepared } from '#lib/db/prepared'
import type { Reading } from '#lib/domain/inbox/classify'
import type { InboundMail } from '#lib/domain/inbox/inbound-mail'
import { type Addressee, addressed, readRecipients, WRITTEN_MS } from '#lib/domain/inbox/written/addressed'
import type { Found, FoundLead, InboundMailbox } from '#lib/services/inbox/arrived-mail'
import { matchThreads } from '#lib/services/inbox/match'

type Named = { match: Found['match']; lead: FoundLead }
/** `is_answered`: the mail belongs to that lead's conversation. */
export type WrittenTo = Named & { is_answered: boolean }
type Candidate = Addressee & Named
type Row = FoundLead & { from_here: boolean; has_conversation: boolean }

/** The addresses of the workspace, and the one of this mailbox. */
export async function ownAddresses(pool: Pool, { workspace_id, address }: InboundMailbox) {
  const { rows } = await pool.query<{ address: string }>(
    prepared(
      `SELECT lower(address) AS address FROM mailboxes WHERE workspace_id = $1
       UNION SELECT reply_to FROM mailboxes WHERE workspace_id = $1 AND reply_to IS NOT NULL
       UNION SELECT unnest(aliases) FROM mailboxes WHERE workspace_id = $1`,
      [workspace_id],
    ),
  )
  return { mailbox: address.toLowerCase(), all: rows.map((row) => row.address) }
}

/**
 * The leads of the workspace to whom somebody wrote a mail that left its mailbox. Of a person's leads, the
 * one whose conversation the mail replies to; if there is none, all leads this mailbox contacts, and the mail
 * is shown with the latest. Empty if a program wrote the mail or it went to many.
 */
export async function matchWritten(
  pool: Pool,
  mailbox: InboundMailbox,
  { mail, reading }: { mail: InboundMail; reading: Reading },
  at: Date,
): Promise<WrittenTo[]> {
  if (reading.form !== 'message' || reading.is_bulk) return []
  const recipients = readRecipients(mail)
  const answered = await byThread(pool, mailbox.workspace_id, reading.about)
  const known = recipients.length > 0 ? await byAddress(pool, mailbox, recipients, at) : []
  const candidates = [...answered, ...known]
  // Return early: most mail that leaves a mailbox is private.
  if (candidates.length === 0) return []
  const leads = addressed(recipients, candidates, await ownAddresses(pool, mailbox))
  return leads.flatMap(({ match, lead, in_thread }, index) => {
    const ofPerson = leads.findIndex(({ email }) => email === lead.email)
    if (ofPerson !== index && leads[ofPerson]?.in_thread) return []
    return [{ match, lead, is_answered: in_thread || ofPerson === index }]
  })
}

async function byThread(pool: Pool, workspaceId: string, about: string[]): Promise<Candidate[]> {
  const [thread] = await matchThreads(pool, workspaceId, [about])
  if (!thread?.lead) return []
  const { match, lead } = thread
  const { rows } = await pool.query<{ writer: string }>(
    `SELECT DISTINCT lower(m.from_address) AS writer FROM threads t JOIN inbox_messages m USING (thread_id)
     WHERE t.campaign_lead_id = $1 AND t.workspace_id = $2 AND t.channel = 'email' AND m.direction = 'in'`,
    [lead.campaign_lead_id, workspaceId],
  )
  const writers = rows.map(({ writer }) => writer)
  const known = { writers, in_thread: true, from_here: false, has_conversation: true }
  return [{ match, lead, email: lead.email, ...known }]
}

/**
 * Leads contacted by a campaign before then; those contacted from this mailbox first, then the latest first.
 */
async function byAddress(
  pool: Pool,
  { workspace_id, mailbox_id }: InboundMailbox,
  recipients: string[],
  at: Date,
): Promise<Candidate[]> {
  const { rows } = await pool.query<Row>(
    `SELECT a.action_id, l.campaign_lead_id, l.campaign_id, l.workspace_id, a.step, a.channel, l.email,
       a.mailbox_id = $3 AS from_here,
       EXISTS (SELECT 1 FROM threads t WHERE t.campaign_lead_id = l.campaign_lead_id AND t.channel = 'email') AS has_conversation
     FROM campaign_leads l JOIN LATERAL (
       SELECT a.action_id, a.step, a.channel, a.mailbox_id, a.performed_at FROM actions a
       WHERE a.campaign_lead_id = l.campaign_lead_id AND a.channel = 'email' AND a.message_id IS NOT NULL
         AND a.status IN ('sending', 'sent', 'uncertain') AND a.performed_at BETWEEN $4 AND $5
       ORDER BY (a.mailbox_id = $3) DESC, a.performed_at DESC LIMIT 1) a ON true
     WHERE l.workspace_id = $1 AND l.email = ANY ($2)
     ORDER BY from_here DESC, a.performed_at DESC LIMIT 100`,
    [workspace_id, recipients, mailbox_id, new Date(at.getTime() - WRITTEN_MS), at],
  )
  return rows.map(({ from_here, has_conversation, ...lead }) => ({
    match: { how: 'recipient', found: lead.email, email: lead.email },
    lead,
    email: lead.email,
    writers: [],
    in_thread: false,
    from_here,
    has_conversation,
  }))
}
