import { z } from 'zod'
import { parseCron } from '#lib/engine/cron'
import { parseKey, parseMatch, parseText } from '#lib/engine/paths'
import { FAILED } from '#lib/engine/protocol'

/**
 * The function configuration this engine accepts, in the shape the SDK reports at sync. Every object is
 * strict: a key the engine does not support (throttle, debounce, priority, cron jitter, ...) is refused,
 * never ignored.
 */
const refusing = (check: (text: string) => unknown) =>
  z.string().superRefine((text, ctx) => {
    try {
      check(text)
    } catch (error) {
      ctx.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

const EventName = z
  .string()
  .refine((name) => !name.endsWith('*'), 'the embedded engine has no wildcards')
  .refine(
    (name) => name === FAILED || !name.startsWith('inngest/'),
    `of its own events the embedded engine sends ${FAILED} alone`,
  )
const Trigger = z
  .strictObject({
    event: EventName.optional(),
    expression: refusing(parseText).optional(),
    cron: refusing(parseCron).optional(),
  })
  .refine(
    ({ event, cron }) => (event === undefined) !== (cron === undefined),
    'needs either an event or a cron',
  )
const Concurrency = z.strictObject({ limit: z.int().nonnegative(), key: refusing(parseKey).optional() })
const Step = z.strictObject({
  id: z.string(),
  name: z.string(),
  runtime: z.strictObject({ type: z.literal('http'), url: z.string() }),
  retries: z.strictObject({ attempts: z.int().nonnegative().optional() }).optional(),
})

const FunctionConfig = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  triggers: z.array(Trigger),
  steps: z.strictObject({ step: Step }),
  concurrency: z
    .preprocess(
      (c) => (typeof c === 'number' ? [{ limit: c }] : Array.isArray(c) ? c : [c]),
      z.array(Concurrency).max(2),
    )
    .optional(),
  cancel: z.array(z.strictObject({ event: EventName, if: refusing(parseMatch) })).optional(),
})
export type FunctionConfig = z.infer<typeof FunctionConfig>

/** The SDK's default of four retries, unless the function says otherwise. */
export const maxAttempts = (fn: FunctionConfig): number => (fn.steps.step.retries?.attempts ?? 4) + 1

/**
 * The reasons for a refusal, in words: the name of an unsupported feature, or the path of any other problem.
 */
function reasons(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `the embedded engine has no ${key}${place && ` (in ${place})`}`)
  return [[place, issue.message].filter(Boolean).join(': ')]
}

/** Parses what an app reported at sync. Throws a single error that names every refused function and key. */
export function parseFunctions(reported: unknown): FunctionConfig[] {
  if (!Array.isArray(reported)) throw new Error('the app reported no list of functions')
  const refused: string[] = []
  const functions = reported.flatMap((config: unknown) => {
    const parsed = FunctionConfig.safeParse(config)
    if (parsed.success) return [parsed.data]
    const id = typeof config === 'object' && config !== null && 'id' in config ? String(config.id) : '(no id)'
    refused.push(...parsed.error.issues.flatMap(reasons).map((reason) => `${id}: ${reason}`))
    return []
  })
  if (refused.length > 0) throw new Error(`functions are refused: ${refused.join('; ')}`)
  return functions
}

const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses the SDK's time strings, such as "1h30m" or "7d", to milliseconds. Throws on anything else. */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+)(ms|[smhdw])/gy)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new SyntaxError(`"${text}" is not a duration`)
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0)
}

/** The end of a wait given as a duration or an ISO date. "" means no wait (sleep(0)). */
export function parseMoment(text: string, now: Date): Date {
  if (text === '') return now
  const date = /^\d{4}-/.test(text) ? new Date(text) : new Date(now.getTime() + parseDuration(text))
  if (Number.isNaN(date.getTime())) throw new SyntaxError(`"${text}" is no moment`)
  return date
}
