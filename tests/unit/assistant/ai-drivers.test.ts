import { APICallError, generateText, type LanguageModel, streamText, tool } from 'ai'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { languageModelFromEnv } from '#lib/providers/ai/model'
import {
  type Answering,
  chunk,
  completion,
  events,
  json,
  startAiServer,
} from '#tests/support/servers/ai-server'

const base = { AI_TIMEOUT_SECONDS: 30, AI_JSON_SCHEMA: true, AI_MODEL: 'test-model', AI_API_KEY: 'secret' }
const opened: { stop: () => Promise<void> }[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) await server.stop()
})

async function serverOf(answer: Answering) {
  const server = await startAiServer(answer)
  opened.push(server)
  return server
}

async function writer(provider: 'openai' | 'anthropic', answer: Answering, seconds = 30) {
  const server = await serverOf(answer)
  const { model } = languageModelFromEnv({
    ...base,
    AI_PROVIDER: provider,
    AI_BASE_URL: server.url,
    AI_TIMEOUT_SECONDS: seconds,
  })
  return { server, model }
}

const weather = {
  weather: tool({ description: 'The weather', inputSchema: z.object({ city: z.string() }) }),
}
const ask = (model: LanguageModel, more: object = {}) =>
  generateText({ model, prompt: 'Hello', maxRetries: 0, ...more })
const failure = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => {
      throw new Error('It answered')
    },
    (error: unknown) => error as Error,
  )

const claude = (content: object[], stop_reason = 'end_turn') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'test-model',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 7 },
})

/** One answer of each kind, in either wire format. */
const FORMATS = [
  {
    provider: 'openai' as const,
    path: '/v1/chat/completions',
    text: completion({ content: 'Good day' }),
    call: completion(
      {
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
        ],
      },
      'tool_calls',
    ),
    refusal: completion({ content: '' }, 'content_filter'),
    stream: [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Good ' }),
      chunk({ content: 'day' }),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 } },
      'data: [DONE]\n\n',
    ],
    streamedCall: [
      chunk({
        tool_calls: [
          { index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"ci' } },
        ],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'ty":"Oslo"}' } }] }),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ],
    key: (headers: Record<string, unknown>) => headers.authorization === 'Bearer secret',
  },
  {
    provider: 'anthropic' as const,
    path: '/v1/messages',
    text: claude([{ type: 'text', text: 'Good day' }]),
    call: claude([{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Oslo' } }], 'tool_use'),
    refusal: claude([], 'refusal'),
    stream: [
      {
        type: 'message_start',
        message: { ...claude([]), stop_reason: null, usage: { input_tokens: 12, output_tokens: 0 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good ' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'day' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ],
    streamedCall: [
      {
        type: 'message_start',
        message: { ...claude([]), stop_reason: null, usage: { input_tokens: 12, output_tokens: 0 } },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c1', name: 'weather', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"city":' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'tool_use', stop_sequence: null },
        usage: { output_tokens: 7 },
      },
      { type: 'message_stop' },
    ],
    key: (headers: Record<string, unknown>) => headers['x-api-key'] === 'secret',
  },
]

for (const format of FORMATS) {
  const open = (answer: Answering, seconds?: number) => writer(format.provider, answer, seconds)

  test(`${format.provider}: an answer comes with its tokens, asked with the key and the model`, async () => {
    const { server, model } = await open(json(format.text))
    const { text, usage } = await ask(model)
    expect(text).toBe('Good day')
    expect([usage.inputTokens, usage.outputTokens]).toEqual([12, 7])
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.url).toBe(format.path)
    expect(server.asked[0]?.body.model).toBe('test-model')
    expect(format.key(server.asked[0]?.headers ?? {})).toBe(true)
  })

  test(`${format.provider}: a stream arrives in its parts, with its tokens`, async () => {
    const { model } = await open(events(format.stream, format.provider === 'anthropic'))
    const result = streamText({ model, prompt: 'Hello', maxRetries: 0 })
    const parts: string[] = []
    for await (const part of result.textStream) parts.push(part)
    expect(parts).toEqual(['Good ', 'day'])
    expect((await result.usage).outputTokens).toBe(7)
  })

  test(`${format.provider}: a tool call has its input, whole or streamed`, async () => {
    const whole = await open(json(format.call))
    const [call] = (await ask(whole.model, { tools: weather })).toolCalls
    expect(call).toMatchObject({ toolName: 'weather', input: { city: 'Oslo' } })
    const streamed = await open(events(format.streamedCall, format.provider === 'anthropic'))
    const result = streamText({ model: streamed.model, prompt: 'Hello', tools: weather, maxRetries: 0 })
    expect((await result.toolCalls)[0]).toMatchObject({ toolName: 'weather', input: { city: 'Oslo' } })
  })

  test(`${format.provider}: a refusal is told apart from an answer`, async () => {
    const { model } = await open(json(format.refusal))
    expect((await ask(model)).finishReason).toBe('content-filter')
  })

  test(`${format.provider}: a silent server is given up after the limit`, async () => {
    const { model } = await open(() => undefined, 1)
    expect(String(await failure(ask(model)))).toMatch(/timeout|abort/i)
  })

  test.each([
    ['no JSON', json('<html>Bad gateway</html>')],
    ['half an answer', json(JSON.stringify(format.text).slice(0, 40))],
    ['JSON of another kind', json({ hello: 'world' })],
  ])(`${format.provider}: %s is a failure, not an answer`, async (_, answer) => {
    const { model } = await open(answer)
    expect(await failure(ask(model))).toBeInstanceOf(Error)
  })

  test(`${format.provider}: a broken event in a stream is a failure`, async () => {
    const { model } = await open(events(['data: {"broken\n\n']))
    const seen: unknown[] = []
    const result = streamText({
      model,
      prompt: 'Hello',
      maxRetries: 0,
      onError: ({ error }) => void seen.push(error),
    })
    for await (const part of result.fullStream) if (part.type === 'error') seen.push(part.error)
    expect(seen.length).toBeGreaterThan(0)
  })

  test.each([429, 500, 503])(
    `${format.provider}: status %i is said with its headers, and not repeated`,
    async (status) => {
      const { model, server } = await open(
        json({ error: { message: 'Slow down' } }, status, { 'retry-after': '7' }),
      )
      const error = await failure(ask(model))
      expect(APICallError.isInstance(error)).toBe(true)
      expect(error).toMatchObject({ statusCode: status, responseHeaders: { 'retry-after': '7' } })
      expect(server.asked).toHaveLength(1)
    },
  )
}

test('a JSON schema is sent only to servers that know one', async () => {
  const { server, model } = await writer('openai', json(completion({ content: '{}' })))
  const format = { type: 'json' as const, schema: { type: 'object' as const } }
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
  if (typeof model === 'string') throw new Error('no model')
  await model.doGenerate({ prompt, responseFormat: format })
  expect(server.asked[0]?.body.response_format).toMatchObject({ type: 'json_schema' })
  const plain = languageModelFromEnv({ ...base, AI_JSON_SCHEMA: false, AI_BASE_URL: server.url })
  await plain.model.doGenerate({ prompt, responseFormat: format })
  expect(server.asked[1]?.body.response_format).toMatchObject({ type: 'json_object' })
})

test.each([
  [{}, 'Offline writer', true],
  [{ AI_PROVIDER: 'offline' as const, AI_API_KEY: 'secret' }, 'Offline writer', true],
  [{ AI_BASE_URL: 'http://127.0.0.1:1/v1', AI_MODEL: 'llama' }, 'llama', false],
  [{ AI_PROVIDER: 'gateway' as const, AI_API_KEY: 'k', AI_MODEL: 'a/b' }, 'a/b', false],
])('%j names its writer', (env, name, offline) => {
  const found = languageModelFromEnv({ AI_TIMEOUT_SECONDS: 5, AI_JSON_SCHEMA: true, ...env })
  expect([found.name, found.offline, found.model.specificationVersion]).toEqual([name, offline, 'v4'])
})

test('a provider without a model is a mistake of the environment', () => {
  expect(() =>
    languageModelFromEnv({ AI_TIMEOUT_SECONDS: 5, AI_JSON_SCHEMA: true, AI_PROVIDER: 'anthropic' }),
  ).toThrow('AI_MODEL')
})
