import { createOfflineWriter } from '#lib/providers/ai/offline'
import { type AiEnv, OFFLINE_NAME, type Writer } from '#lib/providers/ai/port'

type Provider = 'openai' | 'anthropic' | 'gateway'

const OPENAI_URL = 'https://api.openai.com/v1'

/**
 * The model configured in the environment: chat completions of any OpenAI-compatible server, Anthropic's messages API, or the AI
 * SDK's gateway. Without AI_PROVIDER, an address or a key selects the first; with neither, the offline writer, which makes no
 * external request. Throws if a provider is configured without AI_MODEL. Never retries: the caller decides what a failure cost.
 */
export function languageModelFromEnv(env: AiEnv): Writer {
  const provider = env.AI_PROVIDER ?? (env.AI_BASE_URL || env.AI_API_KEY ? 'openai' : 'offline')
  if (provider === 'offline') return { model: createOfflineWriter(), name: OFFLINE_NAME, offline: true }
  if (!env.AI_MODEL) throw new Error(`AI_MODEL must name a model of the provider ${provider}.`)
  return { model: createModel(provider, env.AI_MODEL, env), name: env.AI_MODEL, offline: false }
}

/** The driver is loaded at the first question: the three together take 20 MB, and an instance uses at most one. */
function createModel(provider: Provider, name: string, env: AiEnv): Writer['model'] {
  let known: Promise<Writer['model']> | undefined
  const model = () => (known ??= loadModel(provider, name, env))
  return {
    specificationVersion: 'v4',
    provider,
    modelId: name,
    supportedUrls: {},
    doGenerate: async (options) => (await model()).doGenerate(options),
    doStream: async (options) => (await model()).doStream(options),
  }
}

async function loadModel(provider: Provider, name: string, env: AiEnv): Promise<Writer['model']> {
  const apiKey = env.AI_API_KEY ? { apiKey: env.AI_API_KEY } : {}
  const baseURL = env.AI_BASE_URL ? { baseURL: env.AI_BASE_URL } : {}
  const fetch = fetchWithin(env.AI_TIMEOUT_SECONDS * 1_000)
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    // Without a key the driver would look for one in another environment variable and throw a confusing error.
    return createAnthropic({ apiKey: '', ...apiKey, ...baseURL, fetch })(name)
  }
  if (provider === 'gateway') {
    const { createGateway } = await import('ai')
    return createGateway({ ...apiKey, ...baseURL, fetch })(name)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'openai',
    baseURL: OPENAI_URL,
    ...baseURL,
    ...apiKey,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: env.AI_JSON_SCHEMA,
  })(name)
}

/**
 * A server that goes silent must not hold a worker: the limit covers the whole call, from the first byte sent to the end of the
 * answer.
 */
const fetchWithin =
  (timeoutMs: number): typeof fetch =>
  (input, init) => {
    const limit = AbortSignal.timeout(timeoutMs)
    return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit })
  }
