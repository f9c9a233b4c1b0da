import type { Contract } from '#lib/contracts/contract'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { takeToken } from '#lib/services/rate-limits'

const perMinute = { read: 'RATE_LIMIT_READ', write: 'RATE_LIMIT_WRITE', ai: 'RATE_LIMIT_AI' } as const

/**
 * Takes one token of the credential's bucket for this class of operation.
 * Answers the three RateLimit headers; throws `rate_limited` once the bucket is empty.
 */
export async function limitRate(
  contract: Pick<Contract, 'method' | 'rate'>,
  credentialId: string,
  now: Date,
): Promise<Record<string, string>> {
  const rate = contract.rate ?? (contract.method === 'GET' ? 'read' : 'write')
  const limit = env()[perMinute[rate]]
  const left = await takeToken(`${rate}:${credentialId}`, limit, now)
  const headers = {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(Math.max(0, Math.floor(left))),
    'RateLimit-Reset': String(Math.ceil(((limit - Math.max(0, left)) / limit) * 60)),
  }
  if (left < 0)
    throw Object.assign(new AppError('rate_limited', { retryAfterSeconds: 60 / limit }), { headers })
  return headers
}
