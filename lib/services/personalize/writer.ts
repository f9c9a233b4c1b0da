import { env } from '#lib/env'
import { timed } from '#lib/metrics'
import { languageModelFromEnv } from '#lib/providers/ai/model'
import type { Price, Tokens, Writer } from '#lib/providers/ai/port'

let known: Writer | undefined

/** The writer with the model configured in the environment. */
export function configuredWriter(): Writer {
  known ??= measured(languageModelFromEnv(env()))
  return known
}

const measured = (writer: Writer): Writer => ({ ...writer, model: timed('model', writer.model) })

/** The price of a model in US dollars per million tokens; null if AI_PRICES does not name it. */
export function findPrice({ name, offline }: Pick<Writer, 'name' | 'offline'>): Price | null {
  if (offline) return { input: 0, output: 0 }
  return env().AI_PRICES[name] ?? null
}

export const tokenCost = (price: Price | null, { input, output }: Tokens): number | null =>
  price && ((input ?? 0) * price.input + (output ?? 0) * price.output) / 1_000_000
