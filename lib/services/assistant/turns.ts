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
  /** Of what it would act on, as it was shown; null where that is the arguments alone. */
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

/** By characters, not by halves of them. */
const beginning = (text: string, length: number) => [...text.slice(0, length * 2)].slice(0, length).join('')

async function ensureConversation({ workspace_id, user_id }: Maker, threadId: string, now: Date) {
  const where = { workspace_id_user_id_thread_id: { workspace_id, user_id, thread_id: threadId } }
  await db.conversation.createMany({
    data: [{ workspace_id, user_id, thread_id: threadId, created_at: now, updated_at: now }],
    skipDuplicates: true,
  })
  return db.conversation.findUniqueOrThrow({ where })
}

/** What was asked: `grant_invalid` where it is another's, of another thread, decided already or too old. */
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

/** Decides once on all of them or on none. */
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

/** Puts the decisions where they were asked for; whatever else was asked there is answered with no. */
function answered(part: Part, decisions: Decision[]): Part {
  if (part.state !== 'approval-requested') return part
  const id = String(asRecord(part.approval).id)
  const own = decisions.find(({ approval_id }) => approval_id === id)
  const reason = own ? own.reason : 'The user moved on without deciding.'
  const approval = { id, approved: own?.approved ?? false, ...(reason ? { reason } : {}) }
  return { ...part, state: 'approval-responded', approval }
}

/** Everything said so far, without an open question in it. */
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
 * What the user says is said anew where its message is known already: it and all that followed it go. So a message that
 * was edited, or is answered again, stands there once. Answers what it is kept as.
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
  // What the assistant said keeps its id.
  if (known && known.role !== 'user') return uuidv7(now)
  if (known)
    await db.conversationMessage.deleteMany({ where: { conversation_id, position: { gte: known.position } } })
  return messageId
}

/**
 * The beginning of a turn: finds or starts the conversation, keeps what the user says, and decides what was asked.
 * What is approved is the call as it was kept here, never one that the client or the model names again.
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
  // The decision is kept before anything is done on it.
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

/** Keeps a message, or what has become of one. A conversation that was deleted meanwhile stays deleted. */
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

/** Keeps what the user is asked to permit, for an hour. */
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
