import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

type Item = { price: string; status: string; ends: Date; cancels?: boolean }

/** A server that speaks the part of Stripe's API that billing uses, and records the requests. */
export async function startStripe() {
  const asked: { path: string; fields: Record<string, string>; idempotency_key: string | undefined }[] = []
  const customers = new Map<string, string>()
  const subscriptions = new Map<string, Item[]>()
  let failing: number | null = null
  const server = createServer(async (request, response) => {
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)))
    const url = new URL(request.url ?? '', 'http://stripe.test')
    const idempotency_key = request.headers['idempotency-key']?.toString()
    asked.push({ path: url.pathname, fields, idempotency_key })
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (failing) return answer(failing, { error: { type: 'api_error', message: 'Not now.' } })
    switch (url.pathname) {
      case '/v1/customers': {
        const id = customers.get(idempotency_key ?? '') ?? `cus_${customers.size + 1}`
        customers.set(idempotency_key ?? id, id)
        return answer(200, { id, object: 'customer' })
      }
      case '/v1/billing_portal/sessions':
      case '/v1/checkout/sessions':
        return answer(200, { object: 'session', url: `https://stripe.test/${fields.customer}` })
      case '/v1/subscriptions': {
        const data = (subscriptions.get(url.searchParams.get('customer') ?? '') ?? []).map(asStripe)
        return answer(200, { object: 'list', data, has_more: false })
      }
      default:
        return answer(404, { error: { type: 'invalid_request_error', message: 'No such path.' } })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    subscriptions,
    fail: (status: number | null) => {
      failing = status
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

const asStripe = ({ price, status, ends, cancels = false }: Item, i: number) => ({
  id: `sub_${i}`,
  object: 'subscription',
  status,
  cancel_at_period_end: cancels,
  items: {
    object: 'list',
    data: [{ id: `si_${i}`, price: { id: price }, current_period_end: ends.getTime() / 1_000 }],
  },
})

/** A webhook as Stripe signs it: its body and its header. */
export function signedEvent(type: string, customer: string, secret: string, at: Date) {
  const object = { id: 'sub_0', object: 'subscription', customer }
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const timestamp = Math.floor(at.getTime() / 1_000)
  const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { payload, signature }
}
