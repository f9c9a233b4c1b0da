import { Subscription as Answer, type PaidTier } from '#lib/contracts/billing/billing'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { timed } from '#lib/metrics'
import { type BillingProvider, BillingTrouble, type Subscription } from '#lib/providers/billing/port'
import { workspaceOwner } from '#lib/services/instance/workspace-owner'
import { hasSandbox } from '#lib/services/senders/sandbox'
import { findPayer, loadPlan, TIER_OF } from '#lib/services/workspaces/plans'

let provider: BillingProvider | undefined

/** Loaded on demand: Stripe's library takes 20 MB, and most instances have no key for it. */
async function stripe(): Promise<BillingProvider | null> {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET = '', STRIPE_API_URL } = env()
  if (!STRIPE_SECRET_KEY) return null
  const { createStripe } = await import('#lib/providers/billing/stripe')
  provider ??= timed(
    'billing',
    createStripe({
      secretKey: STRIPE_SECRET_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      apiUrl: STRIPE_API_URL,
    }),
  )
  return provider
}

const providerName = (): Answer['provider'] =>
  env().STRIPE_SECRET_KEY ? 'stripe' : hasSandbox() ? 'sandbox' : 'none'
/** Returns to the workspace being paid for, since the browser may have switched to another one. */
const backTo = (slug: string) => new URL(`/w/${slug}/settings/billing`, env().APP_URL).href
const sandboxPortal = () => new URL('/sandbox/billing', env().APP_URL).href
const tierOfPrice = (): Record<string, PaidTier> => JSON.parse(env().STRIPE_PRICES)

/** The plan in force, and what the workspace itself pays for. */
export async function readSubscription(
  workspaceId: string,
  now: Date,
): Promise<Omit<Answer, 'current_period_end'> & { current_period_end: Date | null }> {
  const [workspace, { payer, tier, tier_limit, active_keys }] = await Promise.all([
    db.workspace.findUniqueOrThrow({ where: { workspace_id: workspaceId } }),
    loadPlan(db, workspaceId, now),
  ])
  return {
    tier,
    tier_limit,
    active_keys,
    payer,
    provider: providerName(),
    status: Answer.shape.status.parse(workspace.subscription_status),
    current_period_end: workspace.current_period_end,
    cancels: workspace.subscription_cancels,
  }
}

export async function createPortalSession(workspaceId: string) {
  await refuseBilledByParent(workspaceId)
  return session(async (billing) => {
    const { billing_customer_id, slug } = await ensureCustomer(billing, workspaceId)
    return billing.createPortalSession(billing_customer_id, backTo(slug))
  })
}

/** A subscription paid by the parent is bought, changed and cancelled in the parent. */
async function refuseBilledByParent(workspaceId: string): Promise<void> {
  const where = { workspace_id: workspaceId }
  const payer = findPayer(await db.workspace.findUniqueOrThrow({ where, select: TIER_OF }))
  if (!payer) return
  const { name, email } = await workspaceOwner(payer.workspace_id)
  throw new AppError('billed_by_parent', {
    message: `${payer.name} pays for this workspace. Ask its owner: ${name} (${email}).`,
  })
}

/** 409 if the workspace already pays: it would pay for two subscriptions. */
export async function createCheckoutSession(workspaceId: string, tier: PaidTier) {
  await refuseBilledByParent(workspaceId)
  const { subscription_status } = await db.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
  })
  if (subscription_status)
    throw new AppError('invalid_state', {
      message: 'There is already a subscription. Change it in the portal.',
    })
  const price = Object.entries(tierOfPrice()).find(([, name]) => name === tier)?.[0]
  return session(async (billing) => {
    if (!price)
      throw new AppError('provider_unavailable', { message: `No price is configured for the tier ${tier}.` })
    const { billing_customer_id, slug } = await ensureCustomer(billing, workspaceId)
    return billing.createCheckoutSession(billing_customer_id, price, backTo(slug))
  })
}

async function session(open: (billing: BillingProvider) => Promise<string>): Promise<{ url: string }> {
  const billing = await stripe()
  if (!billing && hasSandbox()) return { url: sandboxPortal() }
  if (!billing) throw new AppError('provider_unavailable', { message: 'No billing provider is configured.' })
  try {
    return { url: await open(billing) }
  } catch (error) {
    if (!(error instanceof BillingTrouble)) throw error
    throw new AppError(error.reason === 'rejected' ? 'provider_rejected' : 'provider_unavailable', {
      cause: error,
    })
  }
}

/** The provider returns the same customer for a repeated creation, so concurrent calls do no harm. */
async function ensureCustomer(billing: BillingProvider, workspaceId: string) {
  const workspace = await db.workspace.findUniqueOrThrow({ where: { workspace_id: workspaceId } })
  const { slug } = workspace
  if (workspace.billing_customer_id) return { billing_customer_id: workspace.billing_customer_id, slug }
  const { email } = await workspaceOwner(workspaceId)
  const billing_customer_id = await billing.createCustomer({
    workspace_id: workspaceId,
    email,
    name: workspace.name,
  })
  await db.workspace.update({ where: { workspace_id: workspaceId }, data: { billing_customer_id } })
  return { billing_customer_id, slug }
}

/**
 * Handles a webhook of the provider. It only says whose subscription changed; the current state is read from the provider, so webhooks may
 * arrive late, twice and in any order. Returns false if the signature is invalid.
 */
export async function billingChanged(body: string, signature: string, now: Date): Promise<boolean> {
  const billing = await stripe()
  if (!billing) return false
  let customer: string | null
  try {
    customer = billing.customerOfEvent(body, signature, now)
  } catch (error) {
    if (error instanceof BillingTrouble && error.reason === 'signature') return false
    throw error
  }
  if (!customer) return true
  await db.$transaction(
    async (tx) => {
      // Locked before the provider is asked, so that an older answer never overwrites a newer one.
      await tx.$queryRaw`SELECT 1 FROM workspaces WHERE billing_customer_id = ${customer} FOR NO KEY UPDATE`
      const fields = toFields(await billing.listSubscriptions(customer))
      await tx.workspace.updateMany({ where: { billing_customer_id: customer }, data: fields })
    },
    { timeout: 60_000 },
  )
  return true
}

const TIER_ORDER: PaidTier[] = ['starter', 'growth', 'scale']
const FREE = {
  tier: 'free',
  subscription_status: null,
  current_period_end: null,
  subscription_cancels: false,
} as const

/** The highest tier that is paid for; subscriptions without a known tier are ignored. */
function toFields(subscriptions: Subscription[]) {
  const tiers = tierOfPrice()
  const [best] = subscriptions
    .flatMap((subscription) => {
      const tier = tiers[subscription.price_id]
      return tier ? [{ ...subscription, tier }] : []
    })
    .sort((a, b) => TIER_ORDER.indexOf(b.tier) - TIER_ORDER.indexOf(a.tier))
  if (!best) return FREE
  const { tier, status, current_period_end, cancels } = best
  return { tier, subscription_status: status, current_period_end, subscription_cancels: cancels }
}

/** The sandbox's simulated portal: the tier changes at once, and nothing is paid. */
export async function chooseSandboxTier(
  workspaceId: string,
  tier: PaidTier | 'free',
  now: Date,
): Promise<void> {
  if (providerName() !== 'sandbox')
    throw new AppError('not_found', { message: 'This instance has no sandbox.' })
  await refuseBilledByParent(workspaceId)
  const month = new Date(now.getTime() + 30 * 86_400_000)
  const paid = { tier, subscription_status: 'active', current_period_end: month, subscription_cancels: false }
  await db.workspace.update({ where: { workspace_id: workspaceId }, data: tier === 'free' ? FREE : paid })
}
