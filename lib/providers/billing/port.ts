/** A subscription that is paid for or in its trial. */
export type Subscription = {
  subscription_id: string
  /** The provider's price id, which determines the tier. */
  price_id: string
  status: 'active' | 'trialing' | 'past_due'
  /** When it renews, or ends if `cancels` is set. */
  current_period_end: Date
  cancels: boolean
}

/** The payment provider. Every method throws if the provider refuses or cannot be reached. */
export type BillingProvider = {
  /** Returns the provider's customer id; repeated calls for the same user return the same id. */
  createCustomer: (user: { workspace_id: string; email: string; name: string }) => Promise<string>
  /** Address of a page on which the customer manages the subscription. */
  createPortalSession: (customerId: string, returnUrl: string) => Promise<string>
  /** Address of a page on which the customer starts a subscription. */
  createCheckoutSession: (customerId: string, priceId: string, returnUrl: string) => Promise<string>
  /** The customer's current subscriptions. */
  listSubscriptions: (customerId: string) => Promise<Subscription[]>
  /** The customer that a webhook is about, or null if the event is irrelevant. Throws if the signature is invalid. */
  customerOfEvent: (body: string, signature: string, now: Date) => string | null
}

/** The provider refused or could not be reached; `message` is for the log. */
export class BillingTrouble extends Error {
  readonly reason: 'unavailable' | 'rejected' | 'signature'
  constructor(reason: BillingTrouble['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BillingTrouble'
    this.reason = reason
  }
}
