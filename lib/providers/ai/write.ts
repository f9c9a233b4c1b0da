import type { APICallError } from 'ai'
import { z } from 'zod'
import { AppError } from '#lib/errors'
import type { Tokens, Writer } from '#lib/providers/ai/port'

const Written = z.object({
  subject: z.string(),
  body: z.string(),
  claims: z.array(z.object({ text: z.string(), cell: z.string() })),
})

export type AskOutcome<Answer> =
  | { outcome: 'written'; written: Answer; tokens: Tokens }
  /** The model answered, so the call costs money, but the answer is unusable. */
  | { outcome: 'unusable'; error: string; tokens: Tokens }
  /** The request was not accepted: worth another attempt, after that many ms if the provider said so. */
  | { outcome: 'later'; error: string; retry_after_ms: number | null }
  /** The provider refuses this installation for any request: a wrong key, an unknown model, an empty account. */
  | { outcome: 'rejected'; error: string }
  /** It is not known whether the model answered, and so whether the call costs money. */
  | { outcome: 'unknown'; error: string }
export type WriteOutcome = AskOutcome<z.output<typeof Written>>
type Failure = Exclude<WriteOutcome, { outcome: 'written' }>

const NO_TOKENS: Tokens = { input: null, output: null }
const MAX_OUTPUT = 2_000

type Ask = { instructions: string; prompt: string; abort?: AbortSignal }

/** Asks once for a message; never throws for a failure of the provider. */
export const writeOnce = (writer: Pick<Writer, 'model'>, ask: Ask): Promise<WriteOutcome> =>
  askOnce(writer, ask, { name: 'message', schema: Written })

/** The same for an answer of another schema. */
export async function askOnce<Answer>(
  writer: Pick<Writer, 'model'>,
  ask: Ask,
  form: { name: string; schema: z.ZodType<Answer> },
): Promise<AskOutcome<Answer>> {
  // Loaded at the first question: most processes ask none.
  const ai = await import('ai')
  try {
    const { output, usage, finishReason } = await ai.generateText({
      model: writer.model,
      instructions: ask.instructions,
      prompt: ask.prompt,
      output: ai.Output.object(form),
      maxOutputTokens: MAX_OUTPUT,
      maxRetries: 0,
      ...(ask.abort ? { abortSignal: ask.abort } : {}),
    })
    const tokens = { input: usage.inputTokens ?? null, output: usage.outputTokens ?? null }
    if (finishReason === 'content-filter') return { outcome: 'unusable', error: REFUSED, tokens }
    return { outcome: 'written', written: output, tokens }
  } catch (error) {
    return toFailure(ai, error)
  }
}

const REFUSED = 'The model refused to write this text.'

function toFailure(ai: typeof import('ai'), error: unknown): Failure {
  if (ai.NoObjectGeneratedError.isInstance(error)) {
    const tokens = { input: error.usage?.inputTokens ?? null, output: error.usage?.outputTokens ?? null }
    const refused = error.finishReason === 'content-filter'
    const cut = error.finishReason === 'length'
    const why = cut ? 'The model’s answer was cut off.' : 'The model’s answer was not in the expected format.'
    return { outcome: 'unusable', error: refused ? REFUSED : why, tokens }
  }
  if (ai.APICallError.isInstance(error)) return answerFailure(error)
  // Our own code refused the request before the provider was called.
  if (error instanceof AppError) return { outcome: 'rejected', error: error.message }
  // The SDK's error classes for answers without usable content. The model did answer, so they count as paid.
  if (
    error instanceof Error &&
    /^AI_(?:NoOutputGenerated|NoContentGenerated|InvalidResponseData|TypeValidation|JSONParse)/.test(
      error.name,
    )
  )
    return { outcome: 'unusable', error: REFUSED, tokens: NO_TOKENS }
  return { outcome: 'unknown', error: `No answer came: ${errorMessage(error)}` }
}

function answerFailure(error: APICallError): Failure {
  const { statusCode } = error
  const said = kept(`The provider answered ${statusCode}: ${error.message}`, 500)
  if (statusCode === undefined) {
    // If the connection was never made, nothing was accepted; if it broke, something may have been.
    const never = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/.test(deepReason(error))
    return never
      ? {
          outcome: 'later',
          error: `The provider cannot be reached: ${errorMessage(error)}`,
          retry_after_ms: null,
        }
      : { outcome: 'unknown', error: `The connection broke: ${errorMessage(error)}` }
  }
  if (
    statusCode === 408 ||
    statusCode === 409 ||
    statusCode === 425 ||
    statusCode === 429 ||
    statusCode >= 500
  )
    return { outcome: 'later', error: said, retry_after_ms: retryAfter(error.responseHeaders) }
  if (statusCode >= 200 && statusCode < 300)
    return { outcome: 'unusable', error: 'The provider’s answer could not be read.', tokens: NO_TOKENS }
  if (statusCode === 400 || statusCode === 413 || statusCode === 422)
    return { outcome: 'unusable', error: said, tokens: { input: 0, output: 0 } }
  return { outcome: 'rejected', error: said }
}

/** The `retry-after` header (seconds or a date) in ms. */
export function retryAfter(headers: Record<string, string> | undefined, now = Date.now()): number | null {
  const value = headers?.['retry-after']
  if (!value) return null
  const seconds = Number(value)
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

const errorMessage = (error: unknown) => kept(error instanceof Error ? error.message : String(error), 300)

/** Text fit for the database: a provider's text may hold a NUL, and cutting may split a surrogate pair. */
const kept = (words: string, most: number) => words.replaceAll('\0', '').slice(0, most).toWellFormed()

function deepReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return `${code} ${error.message} ${error.cause ? deepReason(error.cause) : ''}`
}
