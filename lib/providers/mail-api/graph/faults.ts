import { z } from 'zod'
import { type ApiAnswer, clean } from '#lib/providers/mail-api/http'
import type { ApiFault } from '#lib/providers/mail-api/outcome'

const Problem = z.object({
  error: z.object({ code: z.string().catch(''), message: z.string().catch('') }),
})

/** Error codes as Microsoft documents them for Graph. */
const CODES: Record<string, ApiFault['kind']> = {
  ApplicationThrottled: 'throttled',
  ErrorExceededMessageLimit: 'throttled',
  ErrorMessageSubmissionBlocked: 'throttled',
  ErrorMailboxStoreUnavailable: 'failed',
  ErrorSendAsDenied: 'sender',
  ErrorQuotaExceeded: 'sender',
  ErrorAccessDenied: 'policy',
  Authorization_RequestDenied: 'policy',
  MailboxNotEnabledForRESTAPI: 'policy',
  MailboxNotHostedInExchangeOnline: 'policy',
  // The address does not exist, which only app-only access can encounter.
  ErrorInvalidUser: 'auth',
  Request_ResourceNotFound: 'auth',
  ErrorInvalidRecipients: 'recipient',
  ErrorMessageSizeExceeded: 'message',
  ErrorMimeContentInvalid: 'message',
  syncStateNotFound: 'gone',
  SyncStateNotFound: 'gone',
  SyncStateInvalid: 'gone',
  resyncRequired: 'gone',
  ErrorItemNotFound: 'gone',
}

const STATUSES: Record<number, ApiFault['kind']> = {
  400: 'message',
  401: 'auth',
  403: 'policy',
  404: 'gone',
  410: 'gone',
  413: 'message',
  429: 'throttled',
}

export function graphFault(answer: ApiAnswer, token: string): ApiFault {
  if (answer.status === null)
    return { kind: 'failed', status: null, reason: answer.reason, said: answer.error }
  const { status, retry_after_ms } = answer
  const { code = '', message = '' } = Problem.safeParse(answer.body).data?.error ?? {}
  const said = clean(`${status} ${code} ${message || 'Microsoft Graph gave no reason.'}`, token)
  // A 5xx says nothing about what the server did, whatever its error code.
  const known =
    status < 500 ? ((Object.hasOwn(CODES, code) ? CODES[code] : undefined) ?? STATUSES[status]) : 'failed'
  return { kind: known ?? 'failed', status, said, retry_after_ms }
}
