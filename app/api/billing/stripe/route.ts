import { readText } from '#lib/http/parse'
import { billingChanged } from '#lib/services/billing/subscriptions'

const MAX_BYTES = 1_048_576

/** Stripe's webhook: https://APP_URL/api/billing/stripe, for the events customer.subscription.*. */
export async function POST(request: Request): Promise<Response> {
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  const isOurs = await billingChanged(body, request.headers.get('stripe-signature') ?? '', new Date())
  return new Response(null, { status: isOurs ? 200 : 400 })
}
