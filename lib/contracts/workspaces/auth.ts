import { z } from 'zod'
import { contract, SCOPES } from '#lib/contracts/contract'
import { dateTime, id } from '#lib/contracts/fields'

export const TIERS = ['free', 'starter', 'growth', 'scale'] as const

export const CurrentUser = z
  .object({
    user_id: id(),
    email: z.string(),
    name: z.string(),
    tier: z.enum(TIERS),
    credential: z.enum(['jwt', 'api_key']).describe('The kind of credential this request carried.'),
    scopes: z.array(z.enum(SCOPES)),
    created_at: dateTime(),
  })
  .meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof CurrentUser>

export const ReadCurrentUser = contract({
  id: 'readCurrentUser',
  method: 'GET',
  path: '/auth/me',
  tag: 'Auth',
  summary: 'Current user information',
  description: 'Who the credential stands for and what it may do. The same as `/auth/verify`.',
  response: CurrentUser,
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const VerifyCredential = contract({
  id: 'verifyCredential',
  method: 'GET',
  path: '/auth/verify',
  tag: 'Auth',
  summary: 'Verify a credential',
  description:
    'Answers 200 with the current user while the credential is good, 401 once it is not. The same as `/auth/me`.',
  response: CurrentUser,
  status: 200,
  errors: 'legacy',
  scope: 'read',
})
