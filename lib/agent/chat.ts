import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  consumeStream,
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from 'ai'
import { describeEffect } from '#lib/agent/effects'
import { instructionsFor, OPENING } from '#lib/agent/instructions'
import type { Toolbox } from '#lib/agent/toolbox'
import { buildTools, needsApproval } from '#lib/agent/tools'
import { asRecord } from '#lib/domain/text/record'
import type { Message } from '#lib/services/assistant/conversations'
import { keepMessage, keepRequest, type Turn } from '#lib/services/assistant/turns'

const MOST_STEPS = 12
/** The most messages of a conversation that are sent to the model. */
const MOST_MESSAGES = 40
const FAILED = 'The assistant could not answer. Anything already done stays done. Try again in a moment.'

type Chat = {
  model: LanguageModelV4
  turn: Turn
  toolbox: Toolbox
  page: Record<string, unknown> | undefined
  signal: AbortSignal
  now: Date
}

/** The messages are stored exactly as the SDK produced them, and its types carry no discriminant to narrow by, hence the cast. */
const uiMessages = (messages: Message[]) => messages as UIMessage[]

/** The latest messages, starting with one of the user's. */
function recent(messages: Message[]): UIMessage[] {
  const last = messages.slice(-MOST_MESSAGES)
  const first = last.findIndex(({ role }) => role === 'user')
  return uiMessages(first > 0 ? last.slice(first) : last)
}

/** The prompt for the model. The opening line is added here and is not stored as a message of the user. */
async function buildPrompt({ turn }: Chat, tools: ReturnType<typeof buildTools>) {
  const messages = recent(turn.messages)
  const isOpening = messages.at(-1)?.role !== 'user' && !lastIsDecided(turn)
  const asked: UIMessage[] = isOpening
    ? [...messages, { id: 'opening', role: 'user', parts: [{ type: 'text', text: OPENING }] }]
    : messages
  return convertToModelMessages(asked, { tools, ignoreIncompleteToolCalls: true })
}

const lastIsDecided = ({ messages }: Turn) =>
  messages.at(-1)?.parts.some((part) => part.state === 'approval-responded') ?? false

type Asked = { operation: string; arguments: Record<string, unknown> }

const askedIn = (input: unknown): Asked => {
  const { operation, arguments: given } = asRecord(input)
  return { operation: String(operation ?? ''), arguments: asRecord(given) }
}

/** The approval card. Our code writes it from the stored call; the model never does. */
async function buildCard(toolbox: Toolbox, call: Asked, approval_id: string, signal: AbortSignal) {
  const known = toolbox.operations.find(({ name }) => name === call.operation)
  const preview = await toolbox
    .preview(call.operation, call.arguments, signal)
    .catch((error: unknown) => ({ error: toolbox.refusal(error) }))
  const about = { operation: call.operation, summary: known?.summary ?? call.operation, sends: known?.sends }
  const effect = await describeEffect(toolbox, call, preview, signal)
  return { approval_id, ...about, effect, arguments: call.arguments, preview }
}

/** Adds a card to each approval request, and stores the requested call before anybody can answer it. */
async function* withCards(chat: Chat, chunks: AsyncIterable<UIMessageChunk>): AsyncGenerator<UIMessageChunk> {
  const calls = new Map<string, Asked>()
  for await (const chunk of chunks) {
    if (chunk.type === 'tool-input-available') calls.set(chunk.toolCallId, askedIn(chunk.input))
    if (chunk.type !== 'tool-approval-request') {
      yield chunk
      continue
    }
    const { approvalId, toolCallId } = chunk
    const { operation, arguments: given = {} } = calls.get(toolCallId) ?? { operation: '' }
    const call = { operation, arguments: given }
    // Hashed before the card is built: a change made while it is being built is then detected when the call runs.
    const content_hash = await chat.toolbox.content(operation, given).catch(() => null)
    const card = await buildCard(chat.toolbox, call, approvalId, chat.signal)
    const asked = { approval_id: approvalId, tool_call_id: toolCallId, ...call, content_hash }
    await keepRequest(chat.turn, asked, new Date())
    yield chunk
    yield { type: 'data-approval', id: approvalId, data: card }
  }
}

async function streamAnswer(chat: Chat): Promise<AsyncIterable<UIMessageChunk>> {
  const { model, turn, toolbox, page, signal, now } = chat
  const tools = buildTools(toolbox, turn.permits, signal)
  const result = streamText({
    model,
    instructions: instructionsFor(toolbox, page, now),
    messages: await buildPrompt(chat, tools),
    tools,
    toolApproval: {
      call_operation: (input) => (needsApproval(toolbox, input) ? 'user-approval' : 'not-applicable'),
    },
    stopWhen: isStepCount(MOST_STEPS),
    abortSignal: signal,
    maxRetries: 1,
    onError: ({ error }) => toolbox.report(error),
  })
  return toUIMessageStream({
    stream: result.stream,
    tools,
    sendReasoning: false,
    originalMessages: uiMessages(turn.messages),
    onError: () => FAILED,
    messageMetadata: ({ part }) => (part.type === 'start' ? { thread_id: turn.thread_id } : undefined),
  })
}

/**
 * The answer to a turn, as a UI message stream. A client that disconnects stops the model and any tool that has not started; the
 * text so far is stored. A failure of the model becomes an error part in plain words.
 */
export function chat(asked: Chat): Response {
  const stop = new AbortController()
  const signal = AbortSignal.any([asked.signal, stop.signal])
  const { turn, toolbox } = asked
  const stream = createUIMessageStream({
    originalMessages: uiMessages(turn.messages),
    execute: async ({ writer }) => {
      const chunks = await streamAnswer({ ...asked, signal })
      for await (const chunk of withCards({ ...asked, signal }, chunks)) writer.write(chunk)
    },
    onError: (error) => {
      if (!signal.aborted) toolbox.report(error)
      return FAILED
    },
    onEnd: async ({ responseMessage }) => {
      const { id, parts } = responseMessage
      if (parts.length === 0) return
      await keepMessage(
        turn,
        { id, role: 'assistant', parts: parts.map((part) => ({ ...part })) },
        new Date(),
      )
    },
  })
  return createUIMessageStreamResponse({
    stream: hearingHangUp(stream, () => stop.abort(), toolbox.report),
    headers: { 'cache-control': 'no-store' },
  })
}

/** Keeps reading after the client has disconnected, so that the text so far is stored. */
function hearingHangUp<T>(source: ReadableStream<T>, onHangUp: () => void, report: (error: unknown) => void) {
  const [shown, kept] = source.tee()
  void consumeStream({ stream: kept, onError: report })
  const reader = shown.getReader()
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel(reason) {
      onHangUp()
      await reader.cancel(reason)
    },
  })
}
