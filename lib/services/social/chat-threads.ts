import type { PoolClient } from 'pg'
import type { Statements } from '#lib/db/statements'

export type ChatAccount = { account_id: string; workspace_id: string; provider: string; name: string }
export type ChatPerson = { chat_id: string | null; provider_id: string | null }
export type ChatThread = {
  thread_id: string
  social_provider_id: string | null
  campaign_lead_id: string | null
}
export type ChatLead = {
  campaign_lead_id: string
  campaign_id: string
  workspace_id: string
  email: string | null
  step: number
  action_id: string
}

/**
 * The leads that are this person for the account, active ones first, including leads that this account acted for before another took over.
 * Empty for a person whom no campaign knows.
 */
export async function chatLeads(
  client: PoolClient,
  account: ChatAccount,
  providerId: string | null,
): Promise<ChatLead[]> {
  if (!providerId) return []
  const { rows } = await client.query<ChatLead>(
    `SELECT l.campaign_lead_id, l.campaign_id, l.workspace_id, l.email, greatest(l.current_step, 1) AS step,
       coalesce(a.action_id, l.campaign_lead_id) AS action_id
     FROM campaign_leads l LEFT JOIN LATERAL (SELECT action_id FROM actions a
       WHERE a.campaign_lead_id = l.campaign_lead_id AND a.channel = 'social' ORDER BY a.performed_at DESC LIMIT 1) a ON true
     WHERE l.status <> 'pending' AND l.campaign_lead_id IN (
       SELECT campaign_lead_id FROM campaign_leads WHERE connected_account_id = $1 AND social_provider_id = $2
       UNION SELECT campaign_lead_id FROM actions WHERE connected_account_id = $1 AND social_provider_id = $2)
     ORDER BY l.status = 'active' DESC, l.last_event_at DESC NULLS LAST, l.campaign_lead_id`,
    [account.account_id, providerId],
  )
  return rows
}

/** The thread of a chat: found by the chat's id or, if the thread has none yet, by the person. */
export async function findThread(
  client: Statements,
  account: ChatAccount,
  { chat_id, provider_id }: ChatPerson,
): Promise<ChatThread | null> {
  const { rows } = await client.query<ChatThread>(
    `SELECT thread_id, social_provider_id, campaign_lead_id FROM threads
     WHERE connected_account_id = $1
       AND (chat_id = $2 OR (social_provider_id = $3 AND (chat_id IS NULL OR $2::text IS NULL)))
     ORDER BY chat_id IS NOT DISTINCT FROM $2 DESC, last_message_at DESC LIMIT 1`,
    [account.account_id, chat_id, provider_id],
  )
  return rows[0] ?? null
}

/**
 * Finds or creates the thread of a chat. The caller must hold a lock on the account's row, so that concurrent callers create one thread.
 */
export async function openThread(
  client: PoolClient,
  account: ChatAccount,
  person: ChatPerson,
  now: Date,
): Promise<string> {
  await client.query('SELECT 1 FROM connected_accounts WHERE account_id = $1 FOR NO KEY UPDATE', [
    account.account_id,
  ])
  const [lead] = await chatLeads(client, account, person.provider_id)
  const free = lead && !(await hasChat(client, lead.campaign_lead_id)) ? lead : null
  const thread = await findThread(client, account, person)
  if (thread) {
    await client.query(
      `UPDATE threads SET chat_id = coalesce(chat_id, $2), social_provider_id = coalesce(social_provider_id, $3),
         campaign_lead_id = coalesce(campaign_lead_id, $4), campaign_id = coalesce(campaign_id, $5)
       WHERE thread_id = $1`,
      [
        thread.thread_id,
        person.chat_id,
        person.provider_id,
        free?.campaign_lead_id ?? null,
        lead?.campaign_id ?? null,
      ],
    )
    return thread.thread_id
  }
  const { rows: known } = await client.query<{ name: string | null; handle: string | null }>(
    'SELECT name, handle FROM social_people WHERE account_id = $1 AND provider_id = $2',
    [account.account_id, person.provider_id],
  )
  const { rows } = await client.query<{ thread_id: string }>(
    `INSERT INTO threads (workspace_id, channel, connected_account_id, chat_id, social_provider_id, campaign_id,
       campaign_lead_id, counterpart_address, counterpart_name, subject, unread, last_message_at, last_direction,
       last_kind, preview)
     VALUES ($1, 'social', $2, $3, $4, $5, $6, $7, $8, $9, false, $10, 'out', 'answer', '') RETURNING thread_id`,
    [
      account.workspace_id,
      account.account_id,
      person.chat_id,
      person.provider_id,
      lead?.campaign_id ?? null,
      free?.campaign_lead_id ?? null,
      known[0]?.handle ?? person.provider_id ?? '',
      known[0]?.name ?? null,
      `Chat with ${known[0]?.name ?? known[0]?.handle ?? 'somebody'}`.slice(0, 300),
      now,
    ],
  )
  return rows[0]?.thread_id ?? ''
}

async function hasChat(client: PoolClient, leadId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM threads WHERE campaign_lead_id = $1 AND channel = 'social'`,
    [leadId],
  )
  return (rowCount ?? 0) > 0
}

export const chatPreview = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 200)
