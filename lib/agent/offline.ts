import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { Answer, type Done, type Move, nextMove } from '#lib/agent/offline-moves'
import { asRecord } from '#lib/domain/text/record'

const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}
const EMPTY_PAGE = {}

type Prompt = LanguageModelV4CallOptions['prompt']

/** The result of a call, read from between its delimiters; null if the user declined the call. */
function toResult(output: { type: string; value?: unknown }): Done['answer'] {
  if (output.type === 'execution-denied') return { denied: true }
  const json = /^<data [^>]*>\n(.*)\n<\/data>$/s.exec(String(output.value ?? ''))?.[1]
  try {
    return Answer.parse(JSON.parse(json ?? ''))
  } catch {
    // Truncated, or not written by our tools.
    return { ok: false, error: { message: 'The response was too long to read.' } }
  }
}

/** The calls made since the user's last message, with their results. */
function doneSince(prompt: Prompt): Done[] {
  const after = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user') + 1)
  const calls = after.flatMap(({ role, content }) =>
    role === 'assistant' ? content.filter((part) => part.type === 'tool-call') : [],
  )
  const results = after.flatMap(({ role, content }) =>
    role === 'tool' || role === 'assistant' ? content.filter((part) => part.type === 'tool-result') : [],
  )
  return calls.flatMap(({ toolCallId, input }) => {
    const result = results.find((part) => part.toolCallId === toolCallId)
    const called = asRecord(input)
    const [operation, given] = [String(called.operation ?? ''), asRecord(called.arguments)]
    return result ? [{ operation, given, answer: toResult(result.output) }] : []
  })
}

function readPage(prompt: Prompt): Record<string, unknown> {
  const system = prompt.find(({ role }) => role === 'system')?.content
  const words = typeof system === 'string' ? system : ''
  const from = words.indexOf('<page>')
  const to = from < 0 ? -1 : words.indexOf('</page>', from)
  try {
    return asRecord(JSON.parse(to < 0 ? '{}' : words.slice(from + '<page>'.length, to)))
  } catch {
    return EMPTY_PAGE
  }
}

const readWords = (prompt: Prompt, last: boolean): string => {
  const said = prompt.filter((message) => message.role === 'user')
  const message = last ? said.at(-1) : said.at(-2)
  return message?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ') ?? ''
}

function toStreamParts(move: Move, callId: string): LanguageModelV4StreamPart[] {
  const said: LanguageModelV4StreamPart[] = move.text
    ? [
        { type: 'text-start', id: '0' },
        ...(move.text.match(/\S+\s*/g) ?? []).map((delta) => ({
          type: 'text-delta' as const,
          id: '0',
          delta,
        })),
        { type: 'text-end', id: '0' },
      ]
    : []
  const input = JSON.stringify(move.call ?? {})
  const called: LanguageModelV4StreamPart[] = move.call
    ? [{ type: 'tool-call', toolCallId: callId, toolName: 'call_operation', input }]
    : []
  const finishReason = { unified: move.call ? ('tool-calls' as const) : ('stop' as const), raw: undefined }
  return [
    { type: 'stream-start', warnings: [] },
    ...said,
    ...called,
    { type: 'finish', finishReason, usage: USAGE },
  ]
}

const toStream = <T>(parts: T[]) =>
  new ReadableStream<T>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

/**
 * The assistant for an instance without an AI provider: it recognizes the common requests by their words, and acts through the
 * same tools and approvals as a model. It makes no external request and costs nothing.
 */
export function createOfflineAssistant(): LanguageModelV4 {
  const answer = ({ prompt }: LanguageModelV4CallOptions): LanguageModelV4StreamPart[] => {
    const said = readWords(prompt, true)
    const move = nextMove({
      said,
      before: readWords(prompt, false),
      page: readPage(prompt),
      done: doneSince(prompt),
    })
    // Call ids must be unique within a conversation.
    return toStreamParts(move, `offline-${prompt.length}-${crypto.randomUUID()}`)
  }
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: 'offline-assistant',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('The offline assistant only streams.')
    },
    doStream: async (options) => ({ stream: toStream(answer(options)) }),
  }
}
