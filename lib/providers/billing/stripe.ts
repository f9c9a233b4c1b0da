import Stripe from 'stripe'
import { z } from 'zod'
import { type BillingProvider, BillingTrouble, type Subscription } from '#lib/providers/billing/port'

type Options = {
  secretKey: string
  webhookSecret: string
  /** Replaces Stripe's own address in tests. */
  apiUrl?: string | undefined
}

/** The Stripe statuses in which a customer is served (docs.stripe.com/api/subscriptions/object#status). */
const SERVED = ['active', 'trialing', 'past_due'] as const satisfies Subscription['status'][]
/** The greatest age of a signed webhook in seconds, as in Stripe's libraries. */
const TOLERANCE_S = 300

/** Any other signed event is ignored: Stripe adds new kinds and shapes. */
const SubscriptionEvent = z.object({
  type: z.string().startsWith('customer.subscription.'),
  data: z.object({
    object: z.object({
      customer: z.union([z.string().min(1), z.object({ id: z.string().min(1) }).transform(({ id }) => id)]),
    }),
  }),
})

/** The driver for Stripe's API. A webhook is only a hint: the current state is read from the API. */
export function createStripe({ secretKey, webhookSecret, apiUrl }: Options): BillingProvider {
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    ...(apiUrl ? parseAddress(apiUrl) : {}),
  })
  return {
    createCustomer: ({ workspace_id, email, name }) =>
      asked(async () => {
        const fields = { email, name, metadata: { workspace_id } }
        return (await stripe.customers.create(fields, { idempotencyKey: `customer-${workspace_id}` })).id
      }),
    createPortalSession: (customer, return_url) =>
      asked(async () => (await stripe.billingPortal.sessions.create({ customer, return_url })).url),
    createCheckoutSession: (customer, price, returnUrl) =>
      asked(async () => {
        const { url } = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          line_items: [{ price, quantity: 1 }],
          success_url: returnUrl,
          cancel_url: returnUrl,
        })
        if (!url) throw new BillingTrouble('rejected', 'The session has no address.')
        return url
      }),
    listSubscriptions: (customer) =>
      asked(async () => {
        const served: Subscription[] = []
        for await (const subscription of stripe.subscriptions.list({ customer, status: 'all' }))
          served.push(...toSubscriptions(subscription))
        return served
      }),
    customerOfEvent: (body, signature, now) => {
      let event: unknown
      try {
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          TOLERANCE_S,
          undefined,
          now.getTime(),
        )
      } catch (error) {
        throw new BillingTrouble('signature', 'The signature of the webhook does not hold.', { cause: error })
      }
      const { data } = SubscriptionEvent.safeParse(event)
      return data?.data.object.customer ?? null
    },
  }
}

function toSubscriptions({ id, status, items, cancel_at_period_end }: Stripe.Subscription): Subscription[] {
  const served = SERVED.find((one) => one === status)
  if (!served) return []
  return items.data.map((item) => ({
    subscription_id: id,
    price_id: item.price.id,
    status: served,
    current_period_end: new Date(item.current_period_end * 1_000),
    cancels: cancel_at_period_end,
  }))
}

function parseAddress(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl)
  return {
    host: hostname,
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    ...(port ? { port: Number(port) } : {}),
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) {
      const { statusCode = 0 } = error
      const reason = statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? 'rejected' : 'unavailable'
      throw new BillingTrouble(reason, error.message, { cause: error })
    }
    throw error
  }
}
