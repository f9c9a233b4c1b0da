import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { BillingTrouble } from '#lib/providers/billing/port'
import { createStripe } from '#lib/providers/billing/stripe'

const NOW = new Date('2026-03-02T10:00:00Z')
const secret = 'whsec_secret'
const billing = createStripe({ secretKey: 'sk_test_x', webhookSecret: secret })

const said = (payload: string) =>
  billing.customerOfEvent(
    payload,
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: NOW.getTime() / 1_000 }),
    NOW,
  )
const event = (type: unknown, object: unknown) => JSON.stringify({ object: 'event', type, data: { object } })

test('an event of a subscription names its customer, whole or by id', () => {
  expect(said(event('customer.subscription.updated', { customer: 'cus_1' }))).toBe('cus_1')
  expect(said(event('customer.subscription.deleted', { customer: { id: 'cus_2' } }))).toBe('cus_2')
})

test.each([
  event('invoice.paid', { customer: 'cus_1' }),
  event('customer.subscription.updated', { customer: null }),
  event('customer.subscription.updated', null),
  event(null, {}),
  '{}',
  '[]',
  'null',
  '1',
])('%s is of no interest, and no fault', (payload) => {
  expect(said(payload)).toBeNull()
})

test('without its signature nothing is read', () => {
  const payload = event('customer.subscription.updated', { customer: 'cus_1' })
  for (const header of ['', 't=1', `t=${NOW.getTime() / 1_000},v1=${'0'.repeat(64)}`])
    expect(() => billing.customerOfEvent(payload, header, NOW)).toThrow(BillingTrouble)
})
