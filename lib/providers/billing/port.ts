/** A subscription that is paid for, or is being tried. */
export type Subscription = {
  subscription_id: string
  /** The provider's id of what is paid: it names the tier. */
  price_id: string
  status: 'active' | 'trialing' | 'past_due'
  /** When it renews, or ends where `cancels` is set. */
  current_period_end: Date
  cancels: boolean
}

/** Who takes the money. Every verb throws where the provider refuses or cannot be reached. */
export type BillingProvider = {
  /** Answers the provider's id of the customer; asked twice for the same user it answers the same. */
  createCustomer: (user: { workspace_id: string; email: string; name: string }) => Promise<string>
  /** Address of a page on which the customer manages the subscription. */
  createPortalSession: (customerId: string, returnUrl: string) => Promise<string>
  /** Address of a page on which the customer begins one. */
  createCheckoutSession: (customerId: string, priceId: string, returnUrl: string) => Promise<string>
  /** What the customer pays for at this moment. */
  listSubscriptions: (customerId: string) => Promise<Subscription[]>
  /** Whose affair a webhook is, or null where it is of no interest. Throws where its signature does not hold. */
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
