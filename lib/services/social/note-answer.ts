import type { Statements } from '#lib/db/statements'
import { chatPreview } from '#lib/services/social/chat-threads'

/** An answer that was written here. `chat_id` if it went into a chat: its thread may not know the chat yet. */
type Answer = { inbox_message_id: string; thread_id: string; chat_id?: string | null }

/**
 * Makes an answer the last message of its mail or chat conversation, and marks the conversation as read. A message that arrived while the
 * answer was under way stays the last one, and unread: the author of the answer had not seen it.
 */
export async function noteAnswer(
  client: Statements,
  { inbox_message_id, thread_id, chat_id = null }: Answer,
  text: string,
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE threads t SET chat_id = coalesce(t.chat_id, $5), message_count = t.message_count + 1,
       last_message_at = greatest(t.last_message_at, $3::timestamptz),
       last_direction = CASE WHEN came.meanwhile THEN t.last_direction ELSE 'out' END,
       last_kind = CASE WHEN came.meanwhile THEN t.last_kind ELSE 'answer' END,
       preview = CASE WHEN came.meanwhile THEN t.preview ELSE $4 END,
       unread = t.unread AND came.meanwhile, updated_at = $3
     FROM (SELECT EXISTS (SELECT 1 FROM inbox_messages m JOIN inbox_messages o USING (thread_id)
       WHERE o.inbox_message_id = $1::uuid AND m.direction = 'in' AND m.created_at > o.created_at) AS meanwhile) came
     WHERE t.thread_id = $2::uuid`,
    [inbox_message_id, thread_id, now, chatPreview(text), chat_id],
  )
}
