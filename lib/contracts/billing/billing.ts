import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'
import { TIERS } from '#lib/contracts/workspaces/auth'

const PAID_TIERS = ['starter', 'growth', 'scale'] as const
export type PaidTier = (typeof PAID_TIERS)[number]

export const Subscription = z
  .object({
    tier: z.enum(TIERS),
    tier_limit: z
      .int()
      .describe('Active API keys at once: by the tier, and one more for each referral, up to ten.'),
    provider: z
      .enum(['stripe', 'sandbox', 'none'])
      .describe(
        'Who takes the money. `sandbox` takes none: its pretended portal changes the tier on the spot.',
      ),
    status: z.enum(['active', 'trialing', 'past_due']).nullable().describe('Null where nothing is paid for.'),
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
    'An address at which the subscription is managed: payment methods, invoices, another tier, the end. It leads back to the billing settings. 502 where the provider refuses, 503 where it cannot be reached or none is configured.',
  response: Session,
  errors: 'legacy',
  scope: 'write',
  refusals: [502, 503],
})

export const CreateCheckoutSession = contract({
  id: 'createCheckoutSession',
  method: 'POST',
  path: '/billing/create-checkout-session',
  ...common,
  summary: 'Begin a subscription',
  description:
    'An address at which the tier is bought. An account that pays already changes its tier in the portal.',
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
    'Once per account. `applied` is false for a code that nobody has, for one’s own, for that of somebody whom one has referred, and where a code was applied before. Both sides may hold one more API key than their tier allows, each up to ten more.',
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
  summary: 'Read one’s own referral code',
  response: z
    .object({
      referral_code: z.string(),
      referred_count: z.int().describe('Accounts that applied the code.'),
      extra_api_keys: z.int().describe('API keys above the number of the tier that this has brought.'),
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
  summary: 'Choose a tier in the sandbox',
  description:
    'What the pretended portal of the sandbox does: the tier changes at once, and nothing is paid. 404 where a real provider takes the money.',
  body: z.object({ tier: z.enum(TIERS) }),
  response: Subscription,
  status: 200,
  errors: 'flat',
  scope: 'admin',
  refusals: [404],
})
