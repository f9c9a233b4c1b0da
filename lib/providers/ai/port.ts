import type { LanguageModelV4 } from '@ai-sdk/provider'

/** Who writes. `name` is what people read beside a text; `offline` where no provider is configured. */
export type Writer = { model: LanguageModelV4; name: string; offline: boolean }

/** The part of the environment that says which model writes. */
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

/** What one call used; null where the provider did not say. */
export type Tokens = { input: number | null; output: number | null }
