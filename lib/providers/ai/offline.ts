import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { composeIntent, composeReply } from '#lib/providers/ai/offline-reply'
import { composeOffline, readDataBlock, readReplyBlock } from '#lib/providers/ai/offline-text'

const NOTHING_TO_DO =
  'No language model is configured, so there is only the offline writer: it composes messages from the cells of a lead. AI_PROVIDER names a model.'

/**
 * Stands in for a language model. For a data block of one lead it composes a message from the lead's cells, always the same for
 * equal cells; for the intent of a reply it looks for a few plain words; for anything else it says what it is. It makes no
 * external request and costs nothing.
 */
export function createOfflineWriter(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: 'offline-writer',
    supportedUrls: {},
    doGenerate: async (options) => answerTo(options),
    doStream: async (options) => ({ stream: toStream(answerTo(options)) }),
  }
}

function answerTo({ prompt }: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  const last = prompt.findLast((message) => message.role === 'user')
  const said = last?.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('') ?? ''
  const reply = readReplyBlock(said)
  const material = reply === null ? readDataBlock(said) : null
  const answer = reply === null ? material && writtenFrom(material) : composeIntent(reply)
  const text = answer ? JSON.stringify(answer) : NOTHING_TO_DO
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  }
}

function writtenFrom(material: NonNullable<ReturnType<typeof readDataBlock>>) {
  if (!material.conversation) return composeOffline(material)
  const { cells, sender, conversation } = material
  return { subject: '', body: composeReply({ cells, sender, conversation }), claims: [] }
}

function toStream({ content, finishReason, usage }: LanguageModelV4GenerateResult) {
  const id = '0'
  const deltas = content.flatMap((part) => (part.type === 'text' ? (part.text.match(/\S+\s*/g) ?? []) : []))
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] })
      controller.enqueue({ type: 'text-start', id })
      for (const delta of deltas) controller.enqueue({ type: 'text-delta', id, delta })
      controller.enqueue({ type: 'text-end', id })
      controller.enqueue({ type: 'finish', finishReason, usage })
      controller.close()
    },
  })
}
