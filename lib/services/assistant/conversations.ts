import { z } from 'zod'
import { Conversation, type ListConversations, type UpdateConversation } from '#lib/contracts/assistant/agent'
import { db } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { edit } from '#lib/services/instance/versioned-edit'

export type Part = { type: string; [key: string]: unknown }
const Role = z.enum(['user', 'assistant'])
const Parts = z.array(z.object({ type: z.string() }).catchall(z.json()))
export type Message = { id: string; role: 'user' | 'assistant'; parts: Part[] }

const MOST_LISTED = 200

/** Those not archived, or only those, the one that changed last first: at most 200 of them. */
export async function listConversations(
  userId: string,
  { archived = false }: z.output<typeof ListConversations.query>,
) {
  const where = { user_id: userId, archived_at: archived ? { not: null } : null }
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

async function ownConversation(userId: string, threadId: string) {
  const where = { user_id_thread_id: { user_id: userId, thread_id: threadId } }
  const row = await db.conversation.findUnique({ where })
  if (!row) throw new AppError('thread_not_found')
  return row
}

/** Everything that was said in a conversation, in order. */
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

export async function readConversation(userId: string, threadId: string) {
  const conversation = await ownConversation(userId, threadId)
  const messages = await listMessages(conversation.conversation_id)
  return { ...conversation, messages }
}

export async function updateConversation(
  userId: string,
  threadId: string,
  { title, archived, version }: z.output<typeof UpdateConversation.body>,
  now: Date,
) {
  const { conversation_id } = await ownConversation(userId, threadId)
  const data = {
    ...(title === undefined ? {} : { title }),
    ...(archived === undefined ? {} : { archived_at: archived ? now : null }),
  }
  return edit({
    table: 'conversations',
    key: { conversation_id, user_id: userId },
    version,
    missing: 'thread_not_found',
    current: async () => Conversation.parse(await ownConversation(userId, threadId)),
    write: (tx) => tx.conversation.update({ where: { conversation_id }, data }),
  })
}

export async function deleteConversation(userId: string, threadId: string): Promise<void> {
  const { count } = await db.conversation.deleteMany({ where: { user_id: userId, thread_id: threadId } })
  if (count === 0) throw new AppError('thread_not_found')
}
