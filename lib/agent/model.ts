import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createOfflineAssistant } from '#lib/agent/offline'
import { env } from '#lib/env'
import { languageModelFromEnv } from '#lib/providers/ai/model'

/** The model that the environment names; without one, the assistant that answers by itself. */
export function assistantModel(): LanguageModelV4 {
  const { model, offline } = languageModelFromEnv(env())
  return offline ? createOfflineAssistant() : model
}
