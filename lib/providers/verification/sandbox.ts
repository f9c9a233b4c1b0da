import { type Said, toAnswer, VERIFICATION_FIELDS, type Verifier } from '#lib/providers/verification/service'

/** Domains reserved for examples (RFC 2606, RFC 6761), which belong to nobody. */
const RESERVED = /(^|[.@])(example\.(com|net|org)|[^.@]+\.(example|test|invalid))$/

const PRICE = 10_000

function makeUp(email: string): Said | null {
  if (!RESERVED.test(email)) return null
  if (/^(gone|nobody)\b/.test(email)) return { status: 'invalid', code: 'no_such_mailbox' }
  if (/^(maybe|risky)\b/.test(email)) return { status: 'risky', code: 'catch_all' }
  return { status: 'valid', code: 'accepted' }
}

/** Used if no service is connected: it answers only for example domains, and says that the answers are made up. */
export const sandboxVerifier: Verifier = {
  name: 'sandbox',
  description: 'Made-up results for addresses at example domains, to try things out.',
  is_sandbox: true,
  fields: VERIFICATION_FIELDS,
  price_micros: PRICE,
  lookup: async ({ email = '' }) =>
    toAnswer('The sandbox', { said: makeUp(email.toLowerCase()), words: 'made up' }, PRICE),
}
