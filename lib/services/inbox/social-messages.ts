import type { Pool, PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { uuidv7 } from '#lib/db/uuid'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { readIntent } from '#lib/domain/inbox/intent/read-intent'
import type { SocialMessage } from '#lib/providers/social/port'
import { lockCampaigns } from '#lib/services/campaigns/locks'
import { settleCampaigns } from '#lib/services/campaigns/state'
import { onReplies } from '#lib/services/inbox/effects'
import { followInConversation } from '#lib/services/inbox/intent/conversation'
import { askModel, asksModel } from '#lib/services/inbox/intent/model'
import { assignByRule } from '#lib/services/inbox/thread/assignment'
import { keepIntent } from '#lib/services/inbox/thread/intents'
import { campaignsOfColleagues } from '#lib/services/leads/colleagues'
import { campaignsWithLeads } from '#lib/services/leads/endings'
import { isKnown, learnPerson, settleOwn, settleUncertain } from '#lib/services/social/chat-copies'
import {
  type ChatAccount,
  type ChatLead,
  chatLeads,
  chatPreview,
  findThread,
  openThread,
} from '#lib/services/social/chat-threads'
import { isOfStep, onWrittenInChat } from '#lib/services/social/written-in-chat'

const MAX_TEXT = 64 * 1024
const MAX_NAME = 320
/** No network has longer ids, and they would not fit an index. */
const MAX_ID = 500

/**
 * Stores a chat message in its conversation and ends all leads of its person on every channel: like an email
 * reply, or like an email written by hand if a user wrote it elsewhere. Safe to repeat. Chats with people
 * whom neither a campaign nor the owner contacted from here are private and not stored. Returns whether the
 * message is new.
 */
export async function recordSocialMessage(
  account: ChatAccount,
  said: SocialMessage,
  now: Date,
  db: Pool = pool(),
): Promise<boolean> {
  const message = bounded(said)
  if (!message) return false
  return inTransaction(db, async (client) => {
    const thread = await findThread(client, account, message)
    if (await isKnown(client, account, message)) {
      await learnPerson(client, account, thread, message, now)
      return false
    }
    const person = {
      chat_id: message.chat_id,
      provider_id:
        message.provider_id ?? thread?.social_provider_id ?? (await personOfChat(client, account, message)),
    }
    const leads = await chatLeads(client, account, person.provider_id)
    if (!thread && message.direction === 'out' && (await settleUncertain(client, account, message)))
      return false
    if (!thread && leads.length === 0) return false
    // Campaigns before leads, in one order, as claims lock them.
    const others = await campaignsWithLeads(
      client,
      account.workspace_id,
      leads.flatMap(({ email }) => email ?? []),
    )
    const colleagues = await campaignsOfColleagues(
      client,
      leads.map((lead) => lead.campaign_lead_id),
    )
    const campaigns = [...new Set([...leads.map((lead) => lead.campaign_id), ...others, ...colleagues])]
    await lockCampaigns(client, campaigns)
    const threadId = await openThread(client, account, person, now)
    if (message.direction === 'out' && (await settleOwn(client, account, threadId, message))) {
      await learnPerson(client, account, thread, message, now)
      return false
    }
    const inboxMessageId = await storeMessage(client, account, threadId, message, now)
    if (!inboxMessageId) return false
    if (message.direction === 'in') {
      const answer = { new_text: message.text, from: null, recipients: [] }
      const read = readIntent(answer, message.at.getTime())
      await keepIntent(client, threadId, inboxMessageId, read)
      if (asksModel(message.text, read))
        await askModel(client, { thread_id: threadId, message_id: inboxMessageId }, now)
      await endLeads(client, leads, { message, inboxMessageId, intent: read }, now)
      const { workspace_id } = account
      await followInConversation(client, workspace_id, inboxMessageId, now)
      await assignByRule(client, workspace_id, [{ thread_id: threadId, at: now }])
    } else if (leads.length > 0 && !(await isOfStep(client, leads, message.text))) {
      const written = { inbox_message_id: inboxMessageId, at: message.at, from: account.name }
      await onWrittenInChat(client, leads, written, now)
    }
    await settleCampaigns(client, campaigns, now)
    return true
  })
}

/** Limits a message to what is stored; null if one of its ids is impossible. */
function bounded(said: SocialMessage): SocialMessage | null {
  const ids = [said.message_id, said.chat_id, said.provider_id ?? '']
  if (ids.some((id) => id.length > MAX_ID || id.includes('\0'))) return null
  const clean = (text: string, most: number) => text.slice(0, most).replaceAll('\0', '').toWellFormed()
  return {
    ...said,
    sender_name: said.sender_name === null ? null : clean(said.sender_name, MAX_NAME),
    text: clean(said.text, MAX_TEXT),
  }
}

/** The person of a chat, if the provider does not say: a campaign's action may have started it. */
async function personOfChat(client: PoolClient, account: ChatAccount, { chat_id }: SocialMessage) {
  const { rows } = await client.query<{ provider_id: string }>(
    'SELECT provider_id FROM social_people WHERE account_id = $1 AND chat_id = $2',
    [account.account_id, chat_id],
  )
  return rows[0]?.provider_id ?? null
}

/**
 * Null if another worker stored it first. A message from a person makes the conversation unread and open
 * again.
 */
async function storeMessage(
  client: PoolClient,
  account: ChatAccount,
  threadId: string,
  said: SocialMessage,
  now: Date,
): Promise<string | null> {
  const isIn = said.direction === 'in'
  const kind = isIn ? 'reply' : 'own_message'
  const { text } = said
  const { rows } = await client.query<{ inbox_message_id: string }>(
    `INSERT INTO inbox_messages (inbox_message_id, thread_id, workspace_id, connected_account_id, provider_message_id,
       direction, kind, from_address, from_name, subject, text, at)
     SELECT $1, t.thread_id, t.workspace_id, $3, $4, $5, $6,
       CASE WHEN $5 = 'in' THEN t.counterpart_address ELSE $7 END,
       CASE WHEN $5 = 'in' THEN coalesce($8, t.counterpart_name) ELSE $7 END, '', $9, $10
     FROM threads t WHERE t.thread_id = $2
     ON CONFLICT (connected_account_id, provider_message_id) DO NOTHING RETURNING inbox_message_id`,
    [
      uuidv7(now),
      threadId,
      account.account_id,
      said.message_id,
      said.direction,
      kind,
      account.name,
      said.sender_name,
      text,
      said.at,
    ],
  )
  if (!rows[0]) return null
  await client.query(
    `UPDATE threads t SET message_count = message_count + 1, updated_at = $6,
       last_direction = CASE WHEN $2 >= last_message_at OR message_count = 0 THEN $3 ELSE last_direction END,
       last_kind = CASE WHEN $2 >= last_message_at OR message_count = 0 THEN $4 ELSE last_kind END,
       preview = CASE WHEN $2 >= last_message_at OR message_count = 0 THEN $5 ELSE preview END,
       last_message_at = CASE WHEN message_count = 0 THEN $2 ELSE greatest(last_message_at, $2) END,
       counterpart_name = coalesce(counterpart_name, $8),
       unread = unread OR $7, status = CASE WHEN $7 THEN 'open' ELSE status END,
       snoozed_until = CASE WHEN $7 THEN NULL ELSE snoozed_until END
     WHERE thread_id = $1`,
    [threadId, said.at, said.direction, kind, chatPreview(text), now, isIn, isIn ? said.sender_name : null],
  )
  return rows[0].inbox_message_id
}

async function endLeads(
  client: PoolClient,
  leads: ChatLead[],
  {
    message,
    inboxMessageId,
    intent,
  }: { message: SocialMessage; inboxMessageId: string; intent: ReadIntent | null },
  now: Date,
): Promise<void> {
  for (const lead of leads) {
    const context = {
      inbound_message_id: inboxMessageId,
      received_at: message.at,
      from: message.sender_name ?? lead.email ?? '',
      subject: '',
      how: 'chat',
      intent,
    }
    await onReplies(client, [{ lead: { ...lead, channel: 'social' }, context }], now)
  }
}
