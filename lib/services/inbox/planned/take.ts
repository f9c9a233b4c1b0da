import type { z } from 'zod'
import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import type { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import type { Statements } from '#lib/db/statements'
import { AppError } from '#lib/errors'
import { lockThread, requireNewest, requireSeen } from '#lib/services/inbox/thread/collision'

export type Reply = z.output<typeof ReplyInInbox.body>
/** A reply as it was written, without its author's name. */
export type Unnamed = Omit<InboxMessage, 'at' | 'author_name'> & { at: Date }

/**
 * A reply that is to be sent now. For a scheduled one, also the state of its draft; if that differs, it waits
 * for another turn.
 */
export type Said = Reply & { version?: number; due_at?: Date }

const TAKE = `DELETE FROM inbox_drafts WHERE thread_id = $1::uuid AND draft_id = $2::uuid
  AND ($3::int IS NULL OR version = $3::int) AND ($4::timestamptz IS NULL OR send_at <= $4::timestamptz) RETURNING draft_id`

/**
 * Runs in the transaction that stores the message: checks that nobody replied first and that nobody else
 * sends the draft.
 */
export async function takeTurn(
  client: Statements,
  threadId: string,
  { last_message_id, draft_id, version, due_at }: Said,
  now: Date,
): Promise<void> {
  if (due_at) await requireNewest(client, threadId, last_message_id, now)
  else await requireSeen(client, threadId, last_message_id, now, draft_id)
  if (!draft_id) return
  await lockThread(client, threadId)
  const { rows } = await client.query(TAKE, [threadId, draft_id, version ?? null, due_at ?? null])
  if (rows.length === 0) throw new AppError('draft_not_found')
}
