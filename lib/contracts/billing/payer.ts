import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id } from '#lib/contracts/fields'
import { TIERS } from '#lib/contracts/workspaces/auth'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

const Plan = z
  .object({
    tier: z.enum(TIERS),
    tier_limit: z.int().describe('Maximum number of active API keys.'),
    active_keys: z
      .int()
      .describe('In use. Above `tier_limit` they keep working, but you cannot create another one.'),
  })
  .meta({ id: 'Plan' })
export type Plan = z.output<typeof Plan>

const Related = z.object({ workspace_id: id(), name: z.string() })

export const Payer = z
  .object({
    workspace_id: id(),
    parent: Related.nullable(),
    payer: Related.extend({ owner: z.object({ name: z.string(), email: z.string() }) })
      .nullable()
      .describe('The parent, if it pays for this workspace, with whom to ask; null if it pays for itself.'),
    by_itself: Plan.describe('Its plan while it pays for itself.'),
    by_parent: Plan.nullable().describe(
      'Its plan while the parent pays, including the usage of everyone who shares it. Null without a parent.',
    ),
    pays_for: z.array(Related.extend({ active_keys: z.int() })).describe('The child workspaces it pays for.'),
  })
  .meta({ id: 'Payer' })
export type Payer = z.output<typeof Payer>

const common = {
  tag: 'Billing',
  path: '/workspaces/{workspace_id}/payer',
  params: inWorkspace,
  errors: 'flat',
} as const

export const ReadPayer = contract({
  ...common,
  id: 'readPayer',
  method: 'GET',
  summary: 'Read who pays for a workspace',
  description:
    'Returns who pays, and what the plan would be either way. Read this before changing the payer. Requires an admin of the workspace or its parent.',
  response: Payer,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const LetParentPay = contract({
  ...common,
  id: 'letParentPay',
  method: 'PUT',
  summary: 'Let the parent pay',
  description:
    'The workspace gets the tier of its parent, and its API keys count together with those of the parent and of all children that it pays for. Existing keys keep working, even above the limit. You must own both workspaces and can act in either: 403 `role_insufficient`. 409 `has_no_parent`; `own_subscription_runs` while the workspace has a subscription of its own that renews.',
  response: Payer,
  status: 200,
  scope: 'admin',
  jwt_only: true,
  refusals: [404, 409],
})

export const EndParentPaying = contract({
  ...common,
  id: 'endParentPaying',
  method: 'DELETE',
  summary: 'Let a workspace pay for itself again',
  description:
    'Requires an owner of either workspace, acting in it or its parent. It then has its own tier: free without a subscription. Its API keys keep working, but no new ones can be created above the limit. 409 `pays_itself` if its parent does not pay.',
  response: null,
  status: 204,
  scope: 'admin',
  refusals: [404, 409],
  destructive: true,
})
