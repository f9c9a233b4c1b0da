import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { pool } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import type { Writer } from '#lib/providers/ai/port'

type Model = Pick<Writer, 'model' | 'offline'>

/** Estimate for answers whose provider does not report usage; most languages and models have fewer. */
const CHARACTERS_PER_TOKEN = 4

/** The current month in the workspace's time zone, as a date. */
const MONTH = `date_trunc('month', $2::timestamptz AT TIME ZONE w.timezone)::date`

/** The tokens that models may use for a workspace this month (null: no limit), and those used. */
export async function readAiBudget(
  workspaceId: string,
  now: Date,
): Promise<{ most: number | null; used: number }> {
  const { rows } = await pool().query<{ most: number | null; used: number }>(
    `SELECT least(w.ai_tokens_per_month, $3::float8) AS most, coalesce(u.tokens, 0)::float8 AS used
     FROM workspaces w LEFT JOIN ai_usage u ON u.workspace_id = w.workspace_id AND u.month = ${MONTH}
     WHERE w.workspace_id = $1`,
    [workspaceId, now, env().AI_TOKENS_PER_MONTH ?? null],
  )
  return rows[0] ?? { most: 0, used: 0 }
}

/** Refuses calls of a model once the month's tokens are used. */
export async function requireAiBudget(writer: Model, workspaceId: string, now: Date): Promise<void> {
  if (writer.offline) return
  const { most, used } = await readAiBudget(workspaceId, now)
  if (most === null || used < most) return
  throw new AppError('ai_budget_spent', {
    message: `This month’s AI budget of ${most.toLocaleString('en')} tokens is used up. An admin can raise it in Settings → Billing.`,
  })
}

async function count(workspaceId: string, tokens: number, now: Date): Promise<void> {
  if (tokens === 0) return
  await pool().query(
    `INSERT INTO ai_usage (workspace_id, month, tokens)
     SELECT w.workspace_id, ${MONTH}, $3 FROM workspaces w WHERE w.workspace_id = $1
     ON CONFLICT (workspace_id, month) DO UPDATE SET tokens = ai_usage.tokens + excluded.tokens`,
    [workspaceId, now, tokens],
  )
}

/**
 * The writer, limited to a workspace's budget: each call is refused once the tokens are used, and counted after its answer. Calls under way
 * at the same time can exceed the budget by their own usage.
 */
export function withinAiBudget<W extends Model>(
  writer: W,
  workspaceId: string,
  clock: () => Date = () => new Date(),
): W {
  if (writer.offline) return writer
  const asked = writer.model
  const charge = (usage: LanguageModelV4Usage, options: LanguageModelV4CallOptions, said: number) => {
    const input = usage.inputTokens.total ?? estimate(jsonText(options.prompt).length)
    return count(workspaceId, input + (usage.outputTokens.total ?? estimate(said)), clock())
  }
  const model: LanguageModelV4 = {
    specificationVersion: asked.specificationVersion,
    provider: asked.provider,
    modelId: asked.modelId,
    supportedUrls: asked.supportedUrls,
    async doGenerate(options) {
      await requireAiBudget(writer, workspaceId, clock())
      const answer = await asked.doGenerate(options)
      await charge(answer.usage, options, jsonText(answer.content).length)
      return answer
    },
    async doStream(options) {
      await requireAiBudget(writer, workspaceId, clock())
      const answer = await asked.doStream(options)
      return { ...answer, stream: counted(answer.stream, (usage, said) => charge(usage, options, said)) }
    },
  }
  return { ...writer, model }
}

const UNKNOWN: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/**
 * Charges a stream once: with the usage that the model reports at its end, or with what was read if the reader leaves or the stream fails.
 */
function counted(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  charge: (usage: LanguageModelV4Usage, said: number) => Promise<void>,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader()
  let usage = UNKNOWN
  let said = 0
  let end: Promise<void> | undefined
  const over = () => (end ??= charge(usage, said))
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (value?.type === 'finish') usage = value.usage
        if (value && 'delta' in value) said += value.delta.length
        if (done) await over()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        await over()
        throw error
      }
    },
    async cancel(reason) {
      await Promise.all([reader.cancel(reason), over()])
    },
  })
}

const estimate = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN)
