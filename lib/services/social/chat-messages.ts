import type { PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import type { ConnectedAccountModel } from '#lib/db/generated/models'
import { inTransaction } from '#lib/db/transaction'
import { uuidv7 } from '#lib/db/uuid'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import type { SocialActionResult, SocialOutcome, SocialProvider } from '#lib/providers/social/port'
import { loseAccount } from '#lib/services/senders/accounts/account-loss'
import { type ChatPerson, openThread } from '#lib/services/social/chat-threads'
import { accountRef } from '#lib/services/social/connected-accounts'
import { noteAnswer } from '#lib/services/social/note-answer'
import { onWrittenHere } from '#lib/services/social/written-in-chat'

export type ChatFate = {
  inbox_message_id: string
  thread_id: string
  delivery_status: 'sent' | 'failed' | 'uncertain'
  response: string
  chat_id: string | null
  message_id: string | null
}

/** `allow` may refuse the message because of changes in its conversation, under the conversation's lock. */
export type ChatText = {
  text: string
  /** The author; null if a program of ours wrote it. */
  user_id: string | null
  /** The id of the draft that it was. */
  inbox_message_id?: string | null | undefined
  allow?: (client: PoolClient, threadId: string) => Promise<void>
}

/**
 * Sends one message to one person, once. It is recorded before it is offered: a crash in between leaves a message with unknown outcome,
 * which is never resent automatically and which its copy in the chat settles. It counts towards the account's caps but is not held back by
 * them, since a person decided to send it.
 */
export async function sendChatMessage(
  driver: SocialProvider,
  account: ConnectedAccountModel,
  to: ChatPerson,
  { text, user_id, inbox_message_id: known, allow }: ChatText,
  now: Date,
): Promise<ChatFate> {
  const inbox_message_id = known ?? uuidv7(now)
  const thread_id = await inTransaction(pool(), async (client) => {
    const thread = await openThread(client, account, to, now)
    await allow?.(client, thread)
    // The account's interval begins before the offer, so that no campaign acts from the account at the same moment.
    await moveInterval(client, account, now)
    await client.query(
      `INSERT INTO inbox_messages (inbox_message_id, thread_id, workspace_id, connected_account_id, direction, kind,
         from_address, from_name, subject, text, at, delivery_status, user_id)
       VALUES ($1, $2, $3, $4, 'out', 'answer', $5, $6, '', $7, $8, 'sending', $9)`,
      [
        inbox_message_id,
        thread,
        account.workspace_id,
        account.account_id,
        account.handle ?? account.name,
        account.name,
        text,
        now,
        user_id,
      ],
    )
    return thread
  })
  const action = {
    action_type: 'message' as const,
    text,
    chat_id: to.chat_id,
    provider_id: to.provider_id ?? '',
  }
  const outcome = await driver.act(accountRef(account), action, inbox_message_id)
  const fate = { inbox_message_id, thread_id, ...toFate(outcome) }
  await inTransaction(pool(), (client) => writeFate(client, account, to, text, fate, now))
  if (outcome.outcome === 'never_left' && outcome.sender_rejected)
    await loseAccount(pool(), account.account_id, outcome.response, now)
  return fate
}

type Outcome = SocialOutcome<SocialActionResult>

function toFate(outcome: Outcome): Omit<ChatFate, 'inbox_message_id' | 'thread_id'> {
  const nothing = { chat_id: null, message_id: null, response: outcome.response }
  switch (outcome.outcome) {
    case 'accepted':
      return { ...nothing, ...outcome.result, delivery_status: 'sent' }
    case 'unknown':
      return { ...nothing, delivery_status: 'uncertain' }
    default:
      return { ...nothing, delivery_status: 'failed' }
  }
}

async function writeFate(
  client: PoolClient,
  account: ConnectedAccountModel,
  to: ChatPerson,
  text: string,
  fate: ChatFate,
  now: Date,
): Promise<void> {
  const { inbox_message_id, thread_id, delivery_status, response } = fate
  const written = { inbox_message_id, at: now, from: account.handle ?? account.name }
  if (delivery_status !== 'failed') await onWrittenHere(client, account, thread_id, written, now)
  // The account before its chats, the order in which threads are opened.
  await client.query('SELECT 1 FROM connected_accounts WHERE account_id = $1 FOR NO KEY UPDATE', [
    account.account_id,
  ])
  // The message's copy in the chat may have been read meanwhile, and knows more than the response.
  await client.query(
    `UPDATE inbox_messages SET delivery_status = CASE WHEN provider_message_id IS NULL THEN $2 ELSE 'sent' END,
       response = $3, provider_message_id = coalesce(provider_message_id, $4)
     WHERE inbox_message_id = $1`,
    [inbox_message_id, delivery_status, response.slice(0, 1_000), fate.message_id],
  )
  if (delivery_status === 'failed') return
  const chat_id = fate.chat_id ?? to.chat_id
  await noteAnswer(client, { inbox_message_id, thread_id, chat_id }, text, now)
  if (to.provider_id && chat_id)
    await client.query('UPDATE social_people SET chat_id = $3 WHERE account_id = $1 AND provider_id = $2', [
      account.account_id,
      to.provider_id,
      chat_id,
    ])
  await countAction(client, account, now)
}

/** Never moves it back: a campaign may have acted meanwhile. */
async function moveInterval(client: PoolClient, account: ConnectedAccountModel, now: Date): Promise<void> {
  await client.query(
    'UPDATE connected_accounts SET last_action_at = greatest(last_action_at, $2) WHERE account_id = $1',
    [account.account_id, now],
  )
}

/** Counts the action on the owner's date. */
async function countAction(client: PoolClient, account: ConnectedAccountModel, now: Date): Promise<void> {
  const { rows } = await client.query<{ timezone: string }>(
    'SELECT timezone FROM workspaces WHERE workspace_id = $1',
    [account.workspace_id],
  )
  const today = formatDay(toDay(loadZone(rows[0]?.timezone ?? 'UTC'), now.getTime()))
  await client.query(
    `INSERT INTO sender_days AS d (sender_id, local_date, action_type, used) VALUES ($1, $2, 'message', 1)
     ON CONFLICT (sender_id, local_date, action_type) DO UPDATE SET used = d.used + 1`,
    [account.account_id, today],
  )
  await moveInterval(client, account, now)
}
