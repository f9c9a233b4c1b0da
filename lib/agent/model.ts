import { createOfflineAssistant } from '#lib/agent/offline'
import { env } from '#lib/env'
import { languageModelFromEnv } from '#lib/providers/ai/model'
import type { Writer } from '#lib/providers/ai/port'

/** The model configured in the environment; without one, the offline assistant. */
export function assistantWriter(): Writer {
  const writer = languageModelFromEnv(env())
  return writer.offline ? { ...writer, model: createOfflineAssistant() } : writer
}
