import type { LanguageModelV4 } from '@ai-sdk/provider'

/** A model that writes. `name` is shown beside its texts; `offline` is set if no provider is configured. */
export type Writer = { model: LanguageModelV4; name: string; offline: boolean }

/** The environment variables that configure the model. */
export type AiEnv = {
  AI_PROVIDER?: 'openai' | 'anthropic' | 'gateway' | 'offline' | undefined
  AI_BASE_URL?: string | undefined
  AI_API_KEY?: string | undefined
  AI_MODEL?: string | undefined
  AI_TIMEOUT_SECONDS: number
  AI_JSON_SCHEMA: boolean
}

export const OFFLINE_NAME = 'Offline writer'

/** US dollars per million tokens. */
export type Price = { input: number; output: number }

/** The tokens that one call used; null if the provider did not report them. */
export type Tokens = { input: number | null; output: number | null }
