import { z } from 'zod'
import {
  askService,
  type Read,
  type Said,
  VERIFICATION_FIELDS,
  type Verifier,
  type VerifierOptions,
} from '#lib/providers/verification/service'

const Answer = z.union([
  z.object({ error: z.string() }),
  z.object({ status: z.string(), sub_status: z.string().nullish() }),
])

/** By the status of a result, or by status and sub-status if the latter is more specific. */
const RESULTS: Record<string, Said> = {
  valid: { status: 'valid', code: 'accepted' },
  invalid: { status: 'invalid', code: 'no_such_mailbox' },
  'invalid, no_dns_entries': { status: 'invalid', code: 'no_such_domain' },
  'invalid, does_not_accept_mail': { status: 'invalid', code: 'takes_no_mail' },
  'invalid, failed_syntax_check': { status: 'invalid', code: 'malformed' },
  'invalid, mailbox_quota_exceeded': { status: 'invalid', code: 'mailbox_full' },
  spamtrap: { status: 'invalid', code: 'spam_trap' },
  'catch-all': { status: 'risky', code: 'catch_all' },
  abuse: { status: 'risky', code: 'complains' },
  do_not_mail: { status: 'risky', code: 'do_not_mail' },
  'do_not_mail, disposable': { status: 'risky', code: 'disposable' },
  'do_not_mail, role_based': { status: 'risky', code: 'role' },
  'do_not_mail, role_based_catch_all': { status: 'risky', code: 'catch_all' },
}

function read(json: unknown): Read {
  const answer = Answer.safeParse(json).data
  if (!answer) return null
  if ('error' in answer) return answer
  const both = answer.sub_status ? `${answer.status}, ${answer.sub_status}` : answer.status
  return { said: RESULTS[both] ?? RESULTS[answer.status] ?? null, words: both.replaceAll('_', ' ') }
}

/** ZeroBounce, `GET /v2/validate`. */
export const zeroBounce = (options: VerifierOptions): Verifier => ({
  name: 'zerobounce',
  description: 'Verifies addresses with ZeroBounce.',
  is_sandbox: false,
  fields: VERIFICATION_FIELDS,
  price_micros: options.price_micros,
  lookup({ email = '' }) {
    const query = new URLSearchParams({ api_key: options.api_key, email, ip_address: '', timeout: '20' })
    const url = `${options.url ?? 'https://api.zerobounce.net/v2/validate'}?${query}`
    return askService({ name: 'ZeroBounce', method: 'GET', url, body: '', read }, options)
  },
})
