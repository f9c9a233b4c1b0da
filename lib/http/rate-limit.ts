import type { Contract } from '#lib/contracts/contract'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { takeTokens } from '#lib/services/instance/rate-limits'

const perMinute = { read: 'RATE_LIMIT_READ', write: 'RATE_LIMIT_WRITE', ai: 'RATE_LIMIT_AI' } as const

/** Each call takes a token from the credential's bucket of this class and one from its workspace's. */
export type RateLimit = { rate: keyof typeof perMinute; per_minute: number; workspace_per_minute: number }
/** Whose buckets the tokens come from. */
type Payer = { credential_id: string; workspace_id: string }

export function toRateLimit(contract: Pick<Contract, 'method' | 'rate'>): RateLimit {
  const rate = contract.rate ?? (contract.method === 'GET' ? 'read' : 'write')
  const per_minute = env()[perMinute[rate]]
  return { rate, per_minute, workspace_per_minute: per_minute * env().RATE_LIMIT_WORKSPACE }
}

/** The three RateLimit headers; throws `rate_limited` if no token was left. */
export function rateHeaders({ per_minute }: RateLimit, left: number): Record<string, string> {
  const headers = {
    'RateLimit-Limit': String(per_minute),
    'RateLimit-Remaining': String(Math.max(0, Math.floor(left))),
    'RateLimit-Reset': String(Math.ceil(((per_minute - Math.max(0, left)) / per_minute) * 60)),
  }
  if (left < 0) throw new AppError('rate_limited', { retryAfterSeconds: 60 / per_minute, headers })
  return headers
}

/** Takes the tokens of one call; returns how many are left. */
export const takeRate = (
  { rate, per_minute, workspace_per_minute }: RateLimit,
  { credential_id, workspace_id }: Payer,
  now: Date,
): Promise<number> =>
  takeTokens(
    { bucket: `${rate}:${credential_id}`, per_minute },
    { bucket: `${rate}:${workspace_id}`, per_minute: workspace_per_minute },
    now,
  )

/** Counts one call of a caller who is authenticated already. */
export async function limitRate(
  contract: Pick<Contract, 'method' | 'rate'>,
  payer: Payer,
  now: Date,
): Promise<void> {
  const limit = toRateLimit(contract)
  rateHeaders(limit, await takeRate(limit, payer, now))
}
