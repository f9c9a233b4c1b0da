import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, text } from '#lib/contracts/fields'
import { TIERS } from '#lib/contracts/workspaces/auth'

const PAID_TIERS = ['starter', 'growth', 'scale'] as const
export type PaidTier = (typeof PAID_TIERS)[number]

export const Subscription = z
  .object({
    tier: z.enum(TIERS),
    tier_limit: z
      .int()
      .describe(
        'Maximum number of active API keys: the tier’s limit plus one per referral, up to ten. Shared by a parent and the workspaces it pays for.',
      ),
    active_keys: z.int().describe('How many of `tier_limit` are in use.'),
    payer: z
      .object({ workspace_id: id(), name: z.string() })
      .nullable()
      .describe('The parent that pays for this workspace and sets its tier. Null if it pays for itself.'),
    provider: z
      .enum(['stripe', 'sandbox', 'none'])
      .describe(
        'The payment provider. `sandbox` charges nothing: its simulated portal changes the tier immediately.',
      ),
    status: z
      .enum(['active', 'trialing', 'past_due'])
      .nullable()
      .describe('From its own subscription. Null without one.'),
    current_period_end: dateTime().nullable(),
    cancels: z.boolean().describe('Ends at `current_period_end` instead of renewing.'),
  })
  .meta({ id: 'Subscription' })
export type Subscription = z.output<typeof Subscription>

const Session = z.object({ url: z.string() }).meta({ id: 'BillingSession' })
const common = { tag: 'Billing', status: 200 } as const

export const CreatePortalSession = contract({
  id: 'createPortalSession',
  method: 'POST',
  path: '/billing/create-portal-session',
  ...common,
  summary: 'Create a billing portal session',
  description:
    'Returns a URL for managing the subscription: payment methods, invoices, tier changes, cancellation. It returns to the billing settings. 409 `billed_by_parent`, with whom to ask, if the parent pays; 502 if the provider refuses; 503 if it cannot be reached or none is configured.',
  response: Session,
  errors: 'legacy',
  scope: 'write',
  refusals: [409, 502, 503],
})

export const CreateCheckoutSession = contract({
  id: 'createCheckoutSession',
  method: 'POST',
  path: '/billing/create-checkout-session',
  ...common,
  summary: 'Start a subscription',
  description:
    'Returns a checkout URL for the tier. If the account already pays, change its tier in the portal.',
  body: z.object({ tier: z.enum(PAID_TIERS) }),
  response: Session,
  errors: 'flat',
  scope: 'admin',
  refusals: [409, 502, 503],
})

export const ReadSubscription = contract({
  id: 'readSubscription',
  method: 'GET',
  path: '/billing/subscription',
  tag: 'Billing',
  summary: 'Read the subscription',
  response: Subscription,
  status: 200,
  errors: 'flat',
  scope: 'read',
})

export const ApplyReferral = contract({
  id: 'applyReferral',
  method: 'POST',
  path: '/referral/apply',
  tag: 'Billing',
  summary: 'Apply a referral code',
  description:
    'Once per account. `applied` is false for an unknown code, your own code, the code of somebody you referred, or if you already applied one. Both accounts get one extra API key, up to ten each.',
  body: z.object({ referral_code: text(1, 1_000) }),
  response: z.object({ applied: z.boolean() }),
  status: 200,
  errors: 'legacy',
  scope: 'write',
})

export const ReadReferral = contract({
  id: 'readReferral',
  method: 'GET',
  path: '/referral',
  tag: 'Billing',
  summary: 'Read your referral code',
  response: z
    .object({
      referral_code: z.string(),
      referred_count: z.int().describe('Accounts that applied the code.'),
      extra_api_keys: z.int().describe('Additional API keys from referrals.'),
      has_applied: z.boolean().describe('Whether this account has applied a code.'),
    })
    .meta({ id: 'Referral' }),
  status: 200,
  errors: 'flat',
  scope: 'read',
})
export type Referral = z.output<typeof ReadReferral.response>

export const ChooseSandboxTier = contract({
  id: 'chooseSandboxTier',
  method: 'POST',
  path: '/billing/sandbox-tier',
  tag: 'Sandbox',
  summary: 'Change the tier in the sandbox',
  description:
    'Does what the sandbox’s simulated portal does: the tier changes immediately and nothing is charged. 404 if a real billing provider is configured, 409 `billed_by_parent` if the parent pays.',
  body: z.object({ tier: z.enum(TIERS) }),
  response: Subscription,
  status: 200,
  errors: 'flat',
  scope: 'admin',
  refusals: [404, 409],
})
