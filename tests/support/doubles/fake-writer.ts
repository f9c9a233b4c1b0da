import { APICallError, type LanguageModelV4, type LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { type DataBlock, readDataBlock } from '#lib/providers/ai/offline-text'
import type { Writer } from '#lib/providers/ai/port'

export type Said = { subject?: string; body: string; claims?: { text: string; cell: string }[] } | string

/**
 * A model in this process: `answer` returns what it generates for one lead, or throws. It counts its calls by lead, so that
 * tests can see which lead was paid for twice.
 */
export function fakeWriter(answer: (data: DataBlock, call: number) => Said | Promise<Said>) {
  const calls = new Map<string, number>()
  let total = 0
  const doGenerate: LanguageModelV4['doGenerate'] = async ({ prompt }) => {
    const last = prompt.findLast((message) => message.role === 'user')
    const data = readDataBlock(
      last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '',
    )
    if (!data) throw new Error('no block of data')
    total += 1
    const email = data.cells.email ?? ''
    calls.set(email, (calls.get(email) ?? 0) + 1)
    const said = await answer(data, total)
    return resultOf(typeof said === 'string' ? said : JSON.stringify({ subject: '', claims: [], ...said }))
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    doGenerate,
    doStream: () => Promise.reject(new Error('not streamed')),
  }
  const writer: Writer = { model, name: 'fake', offline: false }
  return { writer, calls, total: () => total }
}

const resultOf = (text: string): LanguageModelV4GenerateResult => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 20, text: 20, reasoning: 0 },
  },
  warnings: [],
})

/** The error that a provider answers instead of a text. */
export const refusal = (
  statusCode: number,
  headers: Record<string, string> = {},
  message = `status ${statusCode}`,
) =>
  new APICallError({
    message,
    url: 'http://127.0.0.1',
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers,
  })

/** A greeting and a claim, both taken from the lead's cells. */
export const honest = ({ cells }: DataBlock): Said => ({
  subject: `For ${cells.company}`,
  body: `Hi ${cells.first_name},\n\nA word about ${cells.company}.`,
  claims: [{ text: cells.company ?? '', cell: 'company' }],
})

/** A model that answers every request with what `answer` returns, as JSON unless it is text, and records the requests. */
export function saying(answer: () => unknown) {
  const prompts: string[] = []
  const doGenerate: LanguageModelV4['doGenerate'] = async ({ prompt }) => {
    const last = prompt.findLast((message) => message.role === 'user')
    prompts.push(last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '')
    const said = await answer()
    return resultOf(typeof said === 'string' ? said : JSON.stringify(said))
  }
  const writer: Writer = {
    model: {
      specificationVersion: 'v4',
      provider: 'fake',
      modelId: 'fake',
      supportedUrls: {},
      doGenerate,
      doStream: () => Promise.reject(new Error('not streamed')),
    },
    name: 'fake',
    offline: false,
  }
  return { writer, prompts }
}
