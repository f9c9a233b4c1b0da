import type { PoolClient } from 'pg'
import type { SocialMessage } from '#lib/providers/social/port'
import { type ChatAccount, type ChatThread, openThread } from '#lib/services/social/chat-threads'
import { onWrittenHere } from '#lib/services/social/written-in-chat'

/** Whether the message is stored already, or was sent by a campaign and is in its ledger. */
export async function isKnown(client: PoolClient, account: ChatAccount, { message_id }: SocialMessage) {
  const { rowCount } = await client.query(
    `SELECT 1 FROM inbox_messages WHERE connected_account_id = $1 AND provider_message_id = $2
     UNION ALL SELECT 1 FROM actions WHERE workspace_id = $3 AND channel = 'social' AND message_id = $2 LIMIT 1`,
    [account.account_id, message_id, account.workspace_id],
  )
  return (rowCount ?? 0) > 0
}

/**
 * If an answer was written into a chat known only by its id, its copy reveals the person. Only then is it known whose steps the answer
 * ends.
 */
export async function learnPerson(
  client: PoolClient,
  account: ChatAccount,
  thread: ChatThread | null,
  { direction, message_id, chat_id, provider_id }: SocialMessage,
  now: Date,
): Promise<void> {
  if (direction !== 'out' || !provider_id || !thread || thread.social_provider_id !== null) return
  const { rows } = await client.query<{ inbox_message_id: string; at: Date; from: string }>(
    `SELECT inbox_message_id, at, from_address AS from FROM inbox_messages
     WHERE thread_id = $1 AND provider_message_id = $2 AND kind = 'answer'`,
    [thread.thread_id, message_id],
  )
  if (!rows[0]) return
  await onWrittenHere(client, account, thread.thread_id, rows[0], now, provider_id)
  await openThread(client, account, { chat_id, provider_id }, now)
}

/** The copy of a message in the chat proves that a message of ours with unknown outcome was sent. */
export async function settleOwn(
  client: PoolClient,
  account: ChatAccount,
  threadId: string,
  said: SocialMessage,
) {
  const { rowCount } = await client.query(
    `UPDATE inbox_messages SET delivery_status = 'sent', provider_message_id = $3, response = coalesce(response, '')
     WHERE inbox_message_id = (SELECT inbox_message_id FROM inbox_messages
       WHERE thread_id = $1 AND direction = 'out' AND provider_message_id IS NULL AND text = $2
         AND delivery_status IN ('sending', 'uncertain', 'sent') AND at <= $4::timestamptz + interval '5 minutes'
       ORDER BY at LIMIT 1)`,
    [threadId, said.text, said.message_id, said.at],
  )
  if ((rowCount ?? 0) > 0) return true
  const { rowCount: acted } = await client.query(
    `SELECT 1 FROM actions a JOIN threads t ON t.thread_id = $1 AND t.campaign_lead_id = a.campaign_lead_id
     WHERE a.workspace_id = $2 AND a.channel = 'social' AND a.body = $3 AND a.message_id IS NULL LIMIT 1`,
    [threadId, account.workspace_id, said.text],
  )
  return (acted ?? 0) > 0
}

/** The same for the first message of a chat, whose id was in the response that never arrived. */
export async function settleUncertain(client: PoolClient, account: ChatAccount, said: SocialMessage) {
  const { rows } = await client.query<{ thread_id: string }>(
    `UPDATE inbox_messages SET delivery_status = 'sent', provider_message_id = $3
     WHERE inbox_message_id = (SELECT m.inbox_message_id FROM inbox_messages m JOIN threads t USING (thread_id)
       WHERE m.connected_account_id = $1 AND t.chat_id IS NULL AND m.direction = 'out' AND m.text = $2
         AND m.provider_message_id IS NULL AND m.delivery_status IN ('sending', 'uncertain')
         AND m.at BETWEEN $4::timestamptz - interval '10 minutes' AND $4::timestamptz + interval '10 minutes'
       ORDER BY m.at LIMIT 1)
     RETURNING thread_id`,
    [account.account_id, said.text, said.message_id, said.at],
  )
  if (!rows[0]) return false
  await client.query('UPDATE threads SET chat_id = $2 WHERE thread_id = $1', [
    rows[0].thread_id,
    said.chat_id,
  ])
  return true
}
