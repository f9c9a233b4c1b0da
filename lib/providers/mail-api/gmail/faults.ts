import { z } from 'zod'
import { type ApiAnswer, clean, waitMs } from '#lib/providers/mail-api/http'
import type { ApiFault } from '#lib/providers/mail-api/outcome'

const Problem = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: z.string().optional().catch(undefined),
    errors: z.array(z.object({ reason: z.string().catch('') })).catch([]),
  }),
})

const LIMITS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
  'concurrentLimitExceeded',
])
const SCOPES = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'])
const CLIENT = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])
/** When Google's rate limit of a mailbox ends: "User-rate limit exceeded. Retry after 2026-03-02T09:12:00.000Z". */
const RETRY_AT = /Retry after (\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)/
const RECIPIENT = /\b(recipient|invalid (?:to|cc|bcc) header)\b/i

/** The fault of an answer, as Google documents the errors of the Gmail API. */
export function gmailFault(answer: ApiAnswer, token: string, now: Date): ApiFault {
  if (answer.status === null)
    return { kind: 'failed', status: null, reason: answer.reason, said: answer.error }
  const { status } = answer
  const problem = Problem.safeParse(answer.body)
  const { message = '', errors = [], status: name = '' } = problem.data?.error ?? {}
  const reasons = errors.map(({ reason }) => reason)
  const is = (known: Set<string>) => reasons.some((reason) => known.has(reason))
  const said = clean(`${status} ${message || 'The Gmail API gave no reason.'}`, token)
  const retryAt = RETRY_AT.exec(message)?.[1] ?? null
  const fault = (kind: ApiFault['kind']): ApiFault => ({ kind, status, said })
  if (status === 429 || (status === 403 && (is(LIMITS) || name === 'RESOURCE_EXHAUSTED')))
    return { ...fault('throttled'), retry_after_ms: answer.retry_after_ms ?? waitMs(retryAt, now) }
  if (status === 401) return fault('auth')
  if (status === 403) return fault(is(SCOPES) ? 'scope' : is(CLIENT) ? 'client' : 'policy')
  if (status === 404) return fault('gone')
  if (status === 413) return fault('message')
  if (status === 400) {
    if (reasons.includes('failedPrecondition') || name === 'FAILED_PRECONDITION') return fault('policy')
    return fault(RECIPIENT.test(message) ? 'recipient' : 'message')
  }
  return fault('failed')
}
