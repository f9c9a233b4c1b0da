import { z } from 'zod'
import {
  type SocialActionResult,
  type SocialOutcome,
  SocialReadError,
  type SocialRefusal,
} from '#lib/providers/social/port'
import type { UnipileAnswer } from '#lib/providers/social/unipile/http'

/** RFC 7807, as both versions use it; `type` is `errors/…` in the first, `api/…` or `provider/…` in the second. */
const Problem = z.object({
  type: z.string().optional(),
  title: z.string().optional(),
  detail: z.unknown().optional(),
})

/** Errors after which the account has to be signed in again. */
const DISCONNECTED = [
  'disconnected_account',
  'expired_credentials',
  'invalid_credentials',
  'invalid_account',
  'checkpoint_error',
  'wrong_account',
  'multiple_sessions',
  'account_restricted',
  'invalid_authorization',
  'unknown_authentication_context',
]
/** Our own key or subscription is refused: nothing was done, and it says nothing about the account. */
const OURS = [
  'invalid_auth_format',
  'missing_authorization',
  'expired_authorization',
  'inactive_subscription',
]
/** Temporary refusals of the network or of the API, with the seconds to wait: nothing was done. */
const LIMITS: Record<string, number> = {
  too_many_requests: 900,
  limit_exceeded: 6 * 3_600,
  connection_limit_reached: 24 * 3_600,
  cannot_resend_yet: 24 * 3_600,
  cannot_resend_within_24hrs: 24 * 3_600,
  no_client_session: 300,
}
const RECIPIENT = [
  'resource_not_found',
  'invalid_resource_identifier',
  'invalid_recipient',
  'no_connection_with_recipient',
  'blocked_recipient',
  'user_unreachable',
  'recipient_rejected',
  'already_connected',
  'already_invited_recently',
  'action_already_performed',
  'cannot_invite_attendee',
  'already_exists',
  'conflict',
]
const MESSAGE = [
  'invalid_message',
  'too_many_characters',
  'invalid_post',
  'invalid_parameters',
  'content_too_large',
  'invalid_file',
]

export function readProblem({ status, body }: { status: number; body: unknown }) {
  const problem = Problem.safeParse(body)
  const { type, title, detail } = problem.success ? problem.data : {}
  const code = type?.replace(/^.*\//, '') || null
  const said = [title, typeof detail === 'string' ? detail : null].filter(Boolean).join(': ')
  const fallback = typeof body === 'string' && body.trim() ? body.trim().slice(0, 200) : 'no reason given'
  return { code, response: `${status} ${said || fallback}`.slice(0, 1_000) }
}

function blamed(status: number, code: string | null): SocialRefusal['blames'] {
  if (code && RECIPIENT.includes(code)) return 'recipient'
  if (code && MESSAGE.includes(code)) return 'message'
  if (status === 404) return 'recipient'
  return status === 400 ? 'message' : 'sender'
}

type Refused = Exclude<SocialOutcome<never>, { outcome: 'accepted' }>

/**
 * The outcome of an offer that was not accepted. A 5xx may have come after the server acted, so only those that say otherwise
 * count as nothing done.
 */
export function toRefusal(answer: UnipileAnswer): Refused {
  if (answer.status === null)
    return answer.lost
      ? { outcome: 'unknown', response: answer.error }
      : { outcome: 'never_left', response: answer.error, sender_rejected: false }
  const { code, response } = readProblem(answer)
  if (code && DISCONNECTED.includes(code)) return { outcome: 'never_left', response, sender_rejected: true }
  const wait = answer.status === 429 ? (LIMITS[code ?? ''] ?? 900) : LIMITS[code ?? '']
  if (wait !== undefined) {
    const retry_after_seconds = answer.retry_after_seconds ?? wait
    return { outcome: 'refused_for_now', retry_after_seconds, code, response, blames: 'sender' }
  }
  if (answer.status === 401 || OURS.includes(code ?? ''))
    return { outcome: 'never_left', response, sender_rejected: false }
  if (answer.status === 501) return { outcome: 'refused_for_good', code, response, blames: 'sender' }
  if (answer.status < 400 || answer.status >= 500) return { outcome: 'unknown', response }
  return { outcome: 'refused_for_good', code, response, blames: blamed(answer.status, code) }
}

/** The error for a question that was not answered. */
export function toReadError(answer: UnipileAnswer): SocialReadError {
  if (answer.status === null) return new SocialReadError('unavailable', answer.error)
  const { code, response } = readProblem(answer)
  if (code && DISCONNECTED.includes(code)) return new SocialReadError('account_gone', response)
  if (answer.status === 429 || (code && code in LIMITS))
    return new SocialReadError(
      'rate_limited',
      response,
      answer.retry_after_seconds ?? LIMITS[code ?? ''] ?? 900,
    )
  if (answer.status === 404 || (code && RECIPIENT.includes(code)))
    return new SocialReadError('not_found', response)
  return new SocialReadError('unavailable', response)
}

/** Parses the body of an answer by its schema. */
export function readAnswer<T extends z.ZodType>(answer: UnipileAnswer, schema: T): z.output<T> {
  if (answer.status === null || answer.status >= 300 || answer.status < 200) throw toReadError(answer)
  const read = schema.safeParse(answer.body)
  if (read.success) return read.data
  throw new SocialReadError('unavailable', 'The provider’s response was not in its usual format.')
}

/** The outcome of an offer. A success that does not match the API's schema (a gateway's page) proves nothing. */
export function toOutcome<T extends z.ZodType, Result>(
  answer: UnipileAnswer,
  schema: T,
  result: (body: z.output<T>) => Result,
): SocialOutcome<Result> {
  if (answer.status === null || answer.status >= 300 || answer.status < 200) return toRefusal(answer)
  const read = schema.safeParse(answer.body)
  if (!read.success)
    return { outcome: 'unknown', response: `${answer.status} in a form that is not the provider’s own` }
  return { outcome: 'accepted', response: `${answer.status} accepted`, result: result(read.data) }
}

export type Outcome = SocialOutcome<SocialActionResult>

/** For an action that has to look something up first: a failed look-up means that nothing was offered. */
export async function catchReadError(act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof SocialReadError)) throw error
    return unread(error)
  }
}

function unread({ reason, message, retry_after_seconds }: SocialReadError): Outcome {
  const said = { code: reason, response: message }
  switch (reason) {
    case 'not_found':
      return { outcome: 'refused_for_good', ...said, blames: 'recipient' }
    case 'rate_limited':
      return { outcome: 'refused_for_now', retry_after_seconds, ...said, blames: 'sender' }
    default:
      return { outcome: 'never_left', response: message, sender_rejected: reason === 'account_gone' }
  }
}

/** The outcome of an action that the API, or this version of it, does not support. */
export const notSupported = (response: string, blames: SocialRefusal['blames']) =>
  ({ outcome: 'refused_for_good', code: 'not_supported', response, blames }) as const
