import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { z } from 'zod'
import type { GrantFault, GrantRefusal } from '#lib/providers/mail-oauth/port'

/** The error fields of a refusal (RFC 6749 section 5.2), with Microsoft's additions. */
type Refused = { error: string; suberror?: string | undefined; error_codes?: number[] | undefined }

const Additions = z.object({
  suberror: z.string().optional().catch(undefined),
  error_codes: z.array(z.number()).optional().catch(undefined),
})

const ENDED = new Set([
  'invalid_grant',
  'interaction_required',
  'login_required',
  'account_selection_required',
])
const CLIENT = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'invalid_request',
  'unsupported_grant_type',
  'redirect_uri_mismatch',
  'deleted_client',
  'disabled_client',
])
const ADMIN = new Set(['consent_required', 'admin_policy_enforced', 'org_internal'])
/** Microsoft reports these only by number: a policy forbids it, or an administrator has to consent. */
const ADMIN_CODES = new Set([53003, 65001, 90094, 90097])

export function toFault({ error, suberror, error_codes = [] }: Refused): GrantFault {
  if (CLIENT.has(error)) return 'client'
  if (
    ADMIN.has(error) ||
    suberror === 'consent_required' ||
    error_codes.some((code) => ADMIN_CODES.has(code))
  )
    return 'admin'
  if (error === 'access_denied') return 'declined'
  // Unknown errors too count as unreachable: that is retried, while the other faults wait for a person.
  return ENDED.has(error) ? 'ended' : 'unreachable'
}

const MAX_CHARS = 500

/** The error text without secrets: vendors repeat parts of the request in their errors. */
const clean = (text: string, secrets: readonly string[]) =>
  secrets
    .reduce((said, secret) => (secret ? said.replaceAll(secret, '[secret]') : said), text)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARS)
    .toWellFormed()

/** The refusal in a vendor's answer, or that there was no answer. */
export function toRefusal(failure: unknown, secrets: readonly string[]): GrantRefusal {
  if (failure instanceof ResponseBodyError) {
    const { error, error_description, cause } = failure
    const { suberror, error_codes } = Additions.parse(cause)
    const fault = toFault({ error, suberror, error_codes })
    return { ok: false, fault, said: clean(error_description || error, secrets) }
  }
  if (failure instanceof AuthorizationResponseError) {
    const { error, error_description } = failure
    return { ok: false, fault: toFault({ error }), said: clean(error_description || error, secrets) }
  }
  const message = failure instanceof Error ? failure.message : String(failure)
  return { ok: false, fault: 'unreachable', said: clean(message, secrets) }
}
