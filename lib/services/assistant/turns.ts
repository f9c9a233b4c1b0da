import type { z } from 'zod'
import type { AgentChat } from '#lib/contracts/assistant/agent'
import { db } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import { uuidv7 } from '#lib/db/uuid'
import { asRecord } from '#lib/domain/text/record'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { listMessages, type Message, type Part } from '#lib/services/assistant/conversations'
import { type Decision, readMessageBody, type Said } from '#lib/services/assistant/words'

const APPROVAL_MS = 60 * 60_000
const TITLE_CHARS = 80
const LAST_CHARS = 200

/** A call that the user has just approved. */
export type Permit = {
  tool_call_id: string
  operation: string
  arguments: Record<string, unknown>
  /** Hash of the content it would act on, as it was shown; null if the arguments are everything. */
  content_hash: string | null
}

export type Turn = {
  workspace_id: string
  conversation_id: string
  thread_id: string
  messages: Message[]
  /** The calls that the user has just approved. */
  permits: Permit[]
}

type Body = z.output<typeof AgentChat.body>

const messageText = ({ parts }: Message) =>
  parts
    .flatMap((part) => (part.type === 'text' ? [String(part.text)] : []))
    .join(' ')
    .trim()

/** By characters, so that no surrogate pair is split. */
const beginning = (text: string, length: number) => [...text.slice(0, length * 2)].slice(0, length).join('')

async function ensureConversation({ workspace_id, user_id }: Maker, threadId: string, now: Date) {
  const where = { workspace_id_user_id_thread_id: { workspace_id, user_id, thread_id: threadId } }
  await db.conversation.createMany({
    data: [{ workspace_id, user_id, thread_id: threadId, created_at: now, updated_at: now }],
    skipDuplicates: true,
  })
  return db.conversation.findUniqueOrThrow({ where })
}

/** A pending request; `grant_invalid` if it is another user's, of another thread, already decided or expired. */
async function askedFor(
  { workspace_id, user_id }: Maker,
  threadId: string | undefined,
  approvalId: string,
  now: Date,
) {
  const where = {
    approval_id: approvalId,
    workspace_id,
    state: 'pending' as const,
    expires_at: { gt: now },
    conversation: { user_id, ...(threadId === undefined ? {} : { thread_id: threadId }) },
  }
  const asked = await db.agentApproval.findFirst({ where, include: { conversation: true } })
  if (!asked) throw new AppError('grant_invalid')
  return asked
}

type Asked = Awaited<ReturnType<typeof askedFor>>

/** Decides all requests or none. */
async function decide(talker: Maker, said: Said, first: Decision, now: Date): Promise<[Asked, ...Asked[]]> {
  const find = (decision: Decision) => askedFor(talker, said.thread_id, decision.approval_id, now)
  const rest = said.decisions.filter(({ approval_id }) => approval_id !== first.approval_id)
  const asked: [Asked, ...Asked[]] = [await find(first), ...(await Promise.all(rest.map(find)))]
  await db.$transaction(async (tx) => {
    for (const { approval_id, approved } of [first, ...rest]) {
      const { count } = await tx.agentApproval.updateMany({
        where: { approval_id, state: 'pending' },
        data: { state: approved ? 'approved' : 'denied' },
      })
      if (count === 0) throw new AppError('grant_invalid')
    }
  })
  return asked
}

/** Writes the decisions into the part that asked for them; every other request there is denied. */
function answered(part: Part, decisions: Decision[]): Part {
  if (part.state !== 'approval-requested') return part
  const id = String(asRecord(part.approval).id)
  const own = decisions.find(({ approval_id }) => approval_id === id)
  const reason = own ? own.reason : 'The user moved on without deciding.'
  const approval = { id, approved: own?.approved ?? false, ...(reason ? { reason } : {}) }
  return { ...part, state: 'approval-responded', approval }
}

/** All messages so far, without open requests. */
async function settled(conversationId: string, decisions: Decision[]): Promise<Message[]> {
  const messages = await listMessages(conversationId)
  await db.agentApproval.updateMany({
    where: { conversation_id: conversationId, state: 'pending' },
    data: { state: 'denied' },
  })
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => answered(part, decisions)),
  }))
}

/**
 * The place of a user's message. If the message is known already, it and everything after it is replaced, so that an edited or resent
 * message is stored once. Returns the id under which it is stored.
 */
async function choosePlace(
  conversationId: string,
  messageId: string | undefined,
  now: Date,
): Promise<string> {
  if (messageId === undefined) return uuidv7(now)
  const conversation_id = conversationId
  const where = { conversation_id_message_id: { conversation_id, message_id: messageId } }
  const known = await db.conversationMessage.findUnique({ where })
  // An id of an assistant message is not reused for a user's message.
  if (known && known.role !== 'user') return uuidv7(now)
  if (known)
    await db.conversationMessage.deleteMany({ where: { conversation_id, position: { gte: known.position } } })
  return messageId
}

/**
 * Begins a turn: finds or starts the conversation, stores the user's message, and decides pending requests. What is approved is the call as
 * stored here, never one that the client or the model names again.
 */
export async function openTurn(talker: Maker, body: Body, now: Date): Promise<Turn> {
  const said = readMessageBody(body)
  const [first] = said.decisions
  if (first) return resumedTurn(talker, said, first, now)
  const { conversation_id, thread_id, title } = await ensureConversation(
    talker,
    said.thread_id ?? uuidv7(now),
    now,
  )
  const words = said.message.trim()
  const id = words === '' ? '' : await choosePlace(conversation_id, said.message_id, now)
  const messages = await settled(conversation_id, [])
  const { workspace_id } = talker
  const turn = { workspace_id, conversation_id, thread_id, messages, permits: [] }
  if (words === '') return turn
  const message: Message = { id, role: 'user', parts: [{ type: 'text', text: said.message }] }
  await keepMessage(turn, message, now)
  if (title === null)
    await db.conversation.updateMany({
      where: { conversation_id, title: null },
      data: { title: beginning(words, TITLE_CHARS) },
    })
  return { ...turn, messages: [...messages, message] }
}

async function resumedTurn(talker: Maker, said: Said, first: Decision, now: Date): Promise<Turn> {
  const asked = await decide(talker, said, first, now)
  const [{ conversation_id, conversation }] = asked
  const messages = await settled(conversation_id, said.decisions)
  const { workspace_id } = talker
  const turn = { workspace_id, conversation_id, thread_id: conversation.thread_id, messages }
  const last = messages.at(-1)
  // The decision is stored before anything is done on it.
  if (last) await keepMessage({ ...turn, permits: [] }, last, now)
  const approved = new Set(said.decisions.flatMap((one) => (one.approved ? [one.approval_id] : [])))
  const permits = asked
    .filter(({ approval_id }) => approved.has(approval_id))
    .map(({ tool_call_id, operation, content_hash, arguments: given }) => ({
      tool_call_id,
      operation,
      content_hash,
      arguments: asRecord(given),
    }))
  return { ...turn, permits }
}

/** Stores a message or its new state. A conversation deleted meanwhile stays deleted. */
export async function keepMessage(turn: Turn, message: Message, now: Date): Promise<void> {
  const { workspace_id, conversation_id } = turn
  await db.$transaction(async (tx) => {
    const { count } = await tx.conversation.updateMany({
      where: { conversation_id },
      data: { updated_at: now },
    })
    if (count === 0) return
    const parts = storableJson(message.parts)
    const where = { conversation_id_message_id: { conversation_id, message_id: message.id } }
    const position = await tx.conversationMessage.count({ where: { conversation_id } })
    const row = { workspace_id, conversation_id, message_id: message.id, role: message.role, created_at: now }
    await tx.conversationMessage.upsert({ where, create: { ...row, position, parts }, update: { parts } })
    const last_message = beginning(messageText(message).replaceAll('\0', '').toWellFormed(), LAST_CHARS)
    const message_count = await tx.conversationMessage.count({ where: { conversation_id } })
    await tx.conversation.update({
      where: { conversation_id },
      data: { message_count, ...(last_message ? { last_message } : {}) },
    })
  })
}

/** Stores a request for the user's permission, for an hour. */
export async function keepRequest(
  turn: Turn,
  asked: Permit & { approval_id: string },
  now: Date,
): Promise<void> {
  await db.agentApproval.create({
    data: {
      workspace_id: turn.workspace_id,
      conversation_id: turn.conversation_id,
      approval_id: asked.approval_id,
      tool_call_id: asked.tool_call_id,
      operation: asked.operation,
      content_hash: asked.content_hash,
      arguments: storableJson(asked.arguments),
      created_at: now,
      expires_at: new Date(now.getTime() + APPROVAL_MS),
    },
  })
}
