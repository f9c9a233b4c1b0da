import { z } from 'zod'
import { Conversation, type ListConversations, type UpdateConversation } from '#lib/contracts/assistant/agent'
import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { edit } from '#lib/services/instance/versioned-edit'

export type Part = { type: string; [key: string]: unknown }
const Role = z.enum(['user', 'assistant'])
const Parts = z.array(z.object({ type: z.string() }).catchall(z.json()))
export type Message = { id: string; role: 'user' | 'assistant'; parts: Part[] }

const MOST_LISTED = 200

/** Conversations that are not archived, or only the archived ones, the last changed first; at most 200. */
export async function listConversations(
  { workspace_id, user_id }: Maker,
  { archived = false }: z.output<typeof ListConversations.query>,
) {
  const where = { workspace_id, user_id, archived_at: archived ? { not: null } : null }
  const [conversations, total] = await Promise.all([
    db.conversation.findMany({
      where,
      orderBy: [{ updated_at: 'desc' }, { conversation_id: 'desc' }],
      take: MOST_LISTED,
    }),
    db.conversation.count({ where }),
  ])
  return { conversations, total }
}

async function ownConversation({ workspace_id, user_id }: Maker, threadId: string) {
  const where = { workspace_id_user_id_thread_id: { workspace_id, user_id, thread_id: threadId } }
  const row = await db.conversation.findUnique({ where })
  if (!row) throw new AppError('thread_not_found')
  return row
}

/** All messages of a conversation, in order. */
export async function listMessages(conversationId: string) {
  const rows = await db.conversationMessage.findMany({
    where: { conversation_id: conversationId },
    orderBy: { position: 'asc' },
  })
  return rows.map(({ message_id, role, parts }) => ({
    id: message_id,
    role: Role.parse(role),
    parts: Parts.parse(parts),
  }))
}

export async function readConversation(talker: Maker, threadId: string) {
  const conversation = await ownConversation(talker, threadId)
  const messages = await listMessages(conversation.conversation_id)
  return { ...conversation, messages }
}

export async function updateConversation(
  { workspace_id, user_id }: Maker,
  threadId: string,
  { title, archived, version }: z.output<typeof UpdateConversation.body>,
  now: Date,
) {
  const { conversation_id } = await ownConversation({ workspace_id, user_id }, threadId)
  const data = {
    ...(title === undefined ? {} : { title }),
    ...(archived === undefined ? {} : { archived_at: archived ? now : null }),
  }
  return edit({
    table: 'conversations',
    key: { conversation_id, workspace_id, user_id },
    version,
    missing: 'thread_not_found',
    current: async () => Conversation.parse(await ownConversation({ workspace_id, user_id }, threadId)),
    write: (tx) => tx.conversation.update({ where: { conversation_id }, data }),
  })
}

export async function deleteConversation({ workspace_id, user_id }: Maker, threadId: string): Promise<void> {
  const { count } = await db.conversation.deleteMany({
    where: { workspace_id, user_id, thread_id: threadId },
  })
  if (count === 0) throw new AppError('thread_not_found')
}
