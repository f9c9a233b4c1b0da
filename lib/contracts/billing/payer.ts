import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id } from '#lib/contracts/fields'
import { TIERS } from '#lib/contracts/workspaces/auth'
import { inWorkspace } from '#lib/contracts/workspaces/workspaces'

const Plan = z
  .object({
    tier: z.enum(TIERS),
    tier_limit: z.int().describe('Maximum of active API keys.'),
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
    by_itself: Plan.describe('The plan that it has while it pays for itself.'),
    by_parent: Plan.nullable().describe(
      'The plan that it has while its parent pays, with what all who share it use. Null without a parent.',
    ),
    pays_for: z
      .array(Related.extend({ active_keys: z.int() }))
      .describe('The children that this workspace pays for.'),
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
    'Who pays, and what the plan is or would be if the parent pays and if the workspace does: read it before you change that. By an admin of the workspace, or of its parent.',
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
    'The workspace gets the tier of its parent, and its API keys count together with those of the parent and of all children that it pays for. Keys that there are keep working, also above the limit. Takes an owner of both, acting in either: 403 `role_insufficient`. 409 `has_no_parent`; `own_subscription_runs` while the workspace has a subscription of its own that renews.',
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
    'By an owner of either: acting in the workspace, or in its parent. It has its own tier then, which is free without a subscription. Its API keys keep working; above the limit nobody creates another one. 409 `pays_itself` if its parent does not pay.',
  response: null,
  status: 204,
  scope: 'admin',
  refusals: [404, 409],
  destructive: true,
})
