import type { Statements } from '#lib/db/statements'
import { collisionMessage, type Newest, scheduledMessage } from '#lib/domain/inbox/written/collision'
import { AppError, invalid } from '#lib/errors'

type LastMessage = Newest & { inbox_message_id: string; created_at: Date }

/**
 * The message stored last. It may be older than the message above it, because mail can be read late, but it
 * is still news to the user.
 */
export async function findLastMessage(client: Statements, threadId: string): Promise<LastMessage | null> {
  const { rows } = await client.query<LastMessage>(
    `SELECT m.inbox_message_id, m.direction, m.from_address, m.from_name, m.at, m.created_at,
       coalesce(nullif(u.name, ''), u.email) AS author_name
     FROM inbox_messages m LEFT JOIN users u ON u.user_id = m.user_id
     WHERE m.thread_id = $1::uuid AND m.delivery_status IS DISTINCT FROM 'failed' AND m.kind <> 'forward'
     ORDER BY m.created_at DESC, m.inbox_message_id DESC LIMIT 1`,
    [threadId],
  )
  return rows[0] ?? null
}

/** Locks a conversation, before its drafts: code that takes a draft to send it locks in the same order. */
export async function lockThread(client: Statements, threadId: string): Promise<void> {
  await client.query('SELECT 1 FROM threads WHERE thread_id = $1::uuid FOR NO KEY UPDATE', [threadId])
}

/**
 * Refuses a reply to a conversation with a newer message than its writer saw. The conversation stays locked
 * until the reply is written, so that of two concurrent replies one is told of the other.
 */
export async function requireNewest(
  client: Statements,
  threadId: string,
  lastSeenId: string | null | undefined,
  now: Date,
): Promise<void> {
  if (!lastSeenId) return
  await lockThread(client, threadId)
  const seen = await client.query<{ created_at: Date }>(
    'SELECT created_at FROM inbox_messages WHERE thread_id = $1::uuid AND inbox_message_id = $2::uuid',
    [threadId, lastSeenId],
  )
  if (!seen.rows[0]) throw invalid(['body', 'last_message_id'], 'must be a message of this conversation')
  const last = await findLastMessage(client, threadId)
  if (!last || last.inbox_message_id === lastSeenId || last.created_at <= seen.rows[0].created_at) return
  throw new AppError('answered_meanwhile', { message: collisionMessage(last, now) })
}

/**
 * The same for a reply sent or scheduled by hand, which is also refused if another one is scheduled, even by
 * the same user in another tab.
 */
export async function requireSeen(
  client: Statements,
  threadId: string,
  lastSeenId: string | null | undefined,
  now: Date,
  draftId: string | null | undefined,
): Promise<void> {
  if (!lastSeenId) return
  await requireNewest(client, threadId, lastSeenId, now)
  const { rows } = await client.query<{ author_name: string | null; send_at: Date }>(
    `SELECT coalesce(nullif(u.name, ''), u.email) AS author_name, d.send_at
     FROM inbox_drafts d LEFT JOIN users u USING (user_id)
     WHERE d.thread_id = $1::uuid AND d.send_at IS NOT NULL AND d.draft_id IS DISTINCT FROM $2::uuid
     ORDER BY d.send_at LIMIT 1`,
    [threadId, draftId ?? null],
  )
  if (rows[0]) throw new AppError('answered_meanwhile', { message: scheduledMessage(rows[0], now) })
}
