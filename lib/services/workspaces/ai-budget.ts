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

/** Of an answer whose provider does not say what it used; of most languages and models it is less. */
const CHARACTERS_PER_TOKEN = 4

/** The month of the workspace's own clock, as a date. */
const MONTH = `date_trunc('month', $2::timestamptz AT TIME ZONE w.timezone)::date`

/** What models may use for a workspace this month, null without a limit, and what they used. */
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

/** Refuses what would ask a model once the tokens of the month are used. */
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
 * The same writer, on the budget of a workspace: each call is refused once the tokens are used, and counted after its answer. Calls
 * that are under way together can exceed the budget by what they use themselves.
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

/** Charged once: with what the model says at its end, or what was read of it when the reader leaves or it breaks. */
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
