import { afterAll, beforeEach, expect, test } from 'vitest'
import { CreateCheckoutSession, CreatePortalSession, ReadSubscription } from '#lib/contracts/billing/billing'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { signedEvent, startStripe } from '#tests/support/servers/stripe'
import { POST as stripeWebhook } from '../../../app/api/billing/stripe/route.ts'

const SECRET = 'whsec_of_the_test'
const stripe = await startStripe()
Object.assign(process.env, {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_PRICES: '{"price_s":"starter","price_g":"growth"}',
  STRIPE_API_URL: stripe.url,
})
afterAll(() => stripe.close())
beforeEach(() => {
  stripe.fail(null)
  stripe.asked.length = 0
})

const MONTH = new Date('2027-01-01T00:00:00.000Z')
const customerOf = async (user: { workspace_id: string; user_id: string }) =>
  (await db.workspace.findUniqueOrThrow({ where: { workspace_id: user.workspace_id } }))
    .billing_customer_id ?? ''

/** Sends a signed Stripe event; returns the status of our answer. */
async function webhook(
  customer: string,
  { type = 'customer.subscription.updated', secret = SECRET, at = new Date() } = {},
) {
  const { payload, signature } = signedEvent(type, customer, secret, at)
  const request = new Request('http://opener.test/api/billing/stripe', {
    method: 'POST',
    headers: { 'stripe-signature': signature },
    body: payload,
  })
  return (await stripeWebhook(request)).status
}

async function aCustomer() {
  const owner = await aUser()
  await call(CreatePortalSession, { as: owner })
  return { owner, customer: await customerOf(owner) }
}

test('the portal opens for a customer that is made once, under a key that Stripe knows again', async () => {
  const owner = await aUser()
  const first = await call(CreatePortalSession, { as: owner })
  const again = await call(CreatePortalSession, { as: owner })
  const customer = await customerOf(owner)
  expect([first.status, first.body, again.body]).toEqual([
    200,
    { url: `https://stripe.test/${customer}` },
    { url: `https://stripe.test/${customer}` },
  ])
  const made = stripe.asked.filter(({ path }) => path === '/v1/customers')
  expect(made).toMatchObject([
    {
      idempotency_key: `customer-${owner.workspace_id}`,
      fields: { email: owner.email, 'metadata[workspace_id]': owner.workspace_id },
    },
  ])
  expect(stripe.asked.at(-1)?.fields.return_url).toMatch(/\/w\/[a-z0-9-]+\/settings\/billing$/)
})

test('a webhook is a hint: the tier is what Stripe says now', async () => {
  const { owner, customer } = await aCustomer()
  stripe.subscriptions.set(customer, [
    { price: 'price_s', status: 'canceled', ends: MONTH },
    { price: 'price_g', status: 'active', ends: MONTH, cancels: true },
  ])
  expect(await webhook(customer, { type: 'customer.subscription.deleted' })).toBe(200)
  expect((await call(ReadSubscription, { as: owner })).body).toEqual({
    tier: 'growth',
    tier_limit: 20,
    active_keys: 0,
    payer: null,
    provider: 'stripe',
    status: 'active',
    current_period_end: MONTH.toISOString(),
    cancels: true,
  })
  stripe.subscriptions.set(customer, [])
  expect(await webhook(customer)).toBe(200)
  expect((await call(ReadSubscription, { as: owner })).body).toMatchObject({
    tier: 'free',
    tier_limit: 2,
    status: null,
    current_period_end: null,
  })
})

test('a webhook under another secret, or an old one, changes nothing', async () => {
  const { owner, customer } = await aCustomer()
  stripe.subscriptions.set(customer, [{ price: 'price_g', status: 'active', ends: MONTH }])
  expect(await webhook(customer, { secret: 'whsec_of_somebody' })).toBe(400)
  expect(await webhook(customer, { at: new Date(Date.now() - 3_600_000) })).toBe(400)
  expect((await call(ReadSubscription, { as: owner })).body.tier).toBe('free')
})

test('a price that no tier stands for gives nothing', async () => {
  const { owner, customer } = await aCustomer()
  stripe.subscriptions.set(customer, [{ price: 'price_of_something_else', status: 'active', ends: MONTH }])
  expect(await webhook(customer)).toBe(200)
  expect((await call(ReadSubscription, { as: owner })).body.tier).toBe('free')
})

test('the checkout is for the tier that was chosen, and only where nothing is paid yet', async () => {
  const { owner, customer } = await aCustomer()
  const chosen = await call(CreateCheckoutSession, { as: owner, body: { tier: 'growth' } })
  expect(chosen.body).toEqual({ url: `https://stripe.test/${customer}` })
  expect(stripe.asked.at(-1)?.fields).toMatchObject({
    'line_items[0][price]': 'price_g',
    mode: 'subscription',
  })
  stripe.subscriptions.set(customer, [{ price: 'price_s', status: 'active', ends: MONTH }])
  await webhook(customer)
  const second = await call(CreateCheckoutSession, { as: owner, body: { tier: 'growth' } })
  expect([second.status, second.error.detail]).toEqual([409, 'invalid_state'])
  const unpriced = await call(CreateCheckoutSession, { as: await aUser(), body: { tier: 'scale' } })
  expect([unpriced.status, unpriced.error.detail]).toEqual([503, 'provider_unavailable'])
})

test.each([
  [500, 503],
  [400, 502],
])(
  'where Stripe answers %i the portal answers %i in words, and no customer is kept',
  async (theirs, ours) => {
    const owner = await aUser()
    stripe.fail(theirs)
    const { status, error } = await call(CreatePortalSession, { as: owner })
    expect([status, error]).toEqual([ours, { detail: expect.any(String) }])
    expect(await customerOf(owner)).toBe('')
  },
)
