import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { type Asking, chosenBy } from '#lib/services/campaigns/client-access'
import { INTENT_COLUMNS } from '#lib/services/inbox/thread/intents'
import { readDisplayHtml } from '#lib/services/reading/mail'

/** Only the latest messages are shown; conversations between people are shorter. */
const MOST = 200
/** A reply whose process died counts as no longer being sent after this time. */
const SENDING_MS = 5 * 60_000

type Row = Omit<InboxMessage, 'at'> & { at: Date }

/** The campaign's messages, received messages and messages written by hand, in chronological order. */
export async function readInboxMessages(workspaceId: string, threadId: string, now: Date): Promise<Row[]> {
  const thread = await db.thread.findFirst({ where: { thread_id: threadId, workspace_id: workspaceId } })
  if (!thread) throw new AppError('thread_not_found')
  const { rows } = await pool().query<Row>(MESSAGES, [
    threadId,
    thread.campaign_lead_id,
    new Date(now.getTime() - SENDING_MS),
    MOST,
    thread.channel,
  ])
  return Promise.all(
    rows
      .reverse()
      .map(async (row) => ({ ...row, html: row.html && (await readDisplayHtml(workspaceId, row.html)) })),
  )
}

/** The same for a client, who sees the team as one: which member wrote a message is hidden. */
export async function readOwnMessages(user: Asking, threadId: string, now: Date): Promise<Row[]> {
  const messages = await readInboxMessages(user.workspace_id, threadId, now)
  return chosenBy(user)
    ? messages.map((row) => ({ ...row, user_id: null, author_name: null, bcc: [] }))
    : messages
}

const MESSAGES = `
  SELECT m.inbox_message_id, NULL::uuid AS action_id, m.direction, m.kind, NULL::int AS step, NULL::text AS action_type,
    m.from_address, m.from_name, m.user_id, coalesce(nullif(u.name, ''), u.email) AS author_name,
    m.recipients, m.cc, m.bcc, m.subject, m.text, m.unreadable, m.html, m.attachments,
    ((i.raw IS NOT NULL OR m.attachment_ids <> '{}' OR m.attachments @? '$[*].of_message_id') AND m.attachments <> '[]') AS attachments_kept, m.at,
    CASE WHEN m.delivery_status = 'sending' AND m.at < $3 THEN 'uncertain' ELSE m.delivery_status END AS delivery_status,
    m.response, m.intent::text AS intent, ${INTENT_COLUMNS}
  FROM inbox_messages m LEFT JOIN users u ON u.user_id = m.user_id
    LEFT JOIN inbound_messages i ON i.inbound_message_id = m.inbound_message_id WHERE m.thread_id = $1
  UNION ALL
  SELECT NULL, a.action_id, 'out', 'step', a.step, a.action_type,
    coalesce(a.from_address, b.address, n.name, ''), coalesce(b.name, n.name), NULL, NULL,
    CASE WHEN a.channel = 'email' THEN jsonb_build_array(jsonb_build_object('name', NULL, 'address', l.email)) ELSE '[]'::jsonb END, '{}'::text[], '{}'::text[], coalesce(a.subject, ''),
    coalesce(a.body, ''), NULL, NULL, '[]'::jsonb, false, a.performed_at, a.status::text, a.response,
    NULL, NULL, NULL, NULL, NULL, NULL
  FROM actions a LEFT JOIN mailboxes b ON b.mailbox_id = a.mailbox_id
    JOIN campaign_leads l ON l.campaign_lead_id = a.campaign_lead_id
    LEFT JOIN connected_accounts n ON n.account_id = l.connected_account_id
  WHERE a.campaign_lead_id = $2 AND a.channel = $5 AND a.status IN ('sending', 'sent', 'uncertain', 'failed')
  ORDER BY at DESC LIMIT $4`
