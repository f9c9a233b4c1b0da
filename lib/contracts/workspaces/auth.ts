import { z } from 'zod'
import { contract, SCOPES } from '#lib/contracts/contract'
import { dateTime, id } from '#lib/contracts/fields'
import { ROLES } from '#lib/domain/workspaces/roles'

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
    workspace_id: id().describe('The workspace this request acts in.'),
    workspace_name: z.string(),
    role: z.enum(ROLES).describe('Your role in it.'),
    workspaces: z
      .array(z.object({ workspace_id: id(), name: z.string(), slug: z.string(), role: z.enum(ROLES) }))
      .describe('All your workspaces. With a JWT, choose one with `X-Workspace-Id`. A key has its own.'),
  })
  .meta({ id: 'CurrentUser' })
export type CurrentUser = z.output<typeof CurrentUser>

export const ReadCurrentUser = contract({
  id: 'readCurrentUser',
  method: 'GET',
  path: '/auth/me',
  tag: 'Auth',
  summary: 'Current user information',
  description: 'The user of the credential and its permissions. The same as `/auth/verify`.',
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
    'Returns 200 with the current user if the credential is valid, otherwise 401. The same as `/auth/me`.',
  response: CurrentUser,
  status: 200,
  errors: 'legacy',
  scope: 'read',
})
