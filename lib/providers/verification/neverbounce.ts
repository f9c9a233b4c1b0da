import { z } from 'zod'
import {
  askService,
  type Read,
  type Said,
  VERIFICATION_FIELDS,
  type Verifier,
  type VerifierOptions,
} from '#lib/providers/verification/service'

const RESULTS: Record<string, Said> = {
  valid: { status: 'valid', code: 'accepted' },
  invalid: { status: 'invalid', code: 'no_such_mailbox' },
  disposable: { status: 'risky', code: 'disposable' },
  catchall: { status: 'risky', code: 'catch_all' },
}

const Answer = z.object({
  status: z.string(),
  message: z.string().optional(),
  result: z.string().default('unknown'),
  flags: z.array(z.string()).default([]),
})

function read(json: unknown): Read {
  const answer = Answer.safeParse(json).data
  if (!answer) return null
  const { status, message, result, flags } = answer
  if (status !== 'success') return { error: message ?? status }
  const said = RESULTS[result] ?? null
  const isRole = said?.status === 'valid' && flags.includes('role_account')
  return { said: isRole ? { status: 'risky', code: 'role' } : said, words: result }
}

/** NeverBounce, `POST /v4.2/single/check`: every response is a 200, and `status` in its body says whether the check succeeded. */
export const neverBounce = (options: VerifierOptions): Verifier => ({
  name: 'neverbounce',
  description: 'Verifies addresses with NeverBounce.',
  is_sandbox: false,
  fields: VERIFICATION_FIELDS,
  price_micros: options.price_micros,
  lookup: ({ email }) =>
    askService(
      {
        name: 'NeverBounce',
        url: options.url ?? 'https://api.neverbounce.com/v4.2/single/check',
        body: JSON.stringify({ key: options.api_key, email, timeout: 20 }),
        read,
      },
      options,
    ),
})
