import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  emptyOrText,
  id,
  listEnvelope,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { EVENT_TYPES } from '#lib/contracts/telling/webhook-events'
import { bothWays } from '#lib/domain/text/row-order'

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

export const Webhook = z
  .object({
    webhook_id: id(),
    url: z.string(),
    description: z.string().nullable(),
    event_types: z.array(z.string()),
    enabled: z.boolean(),
    disabled_reason: z
      .enum(['user', 'gone', 'failing', 'imported'])
      .nullable()
      .describe(
        '`gone`: it returned 410. `failing`: no delivery succeeded for five days. `imported`: it came with an imported workspace; rotate its secret, give it to the receiver, then enable it.',
      ),
    disabled_at: dateTime().nullable(),
    secret_hint: z.string().describe('The last four characters of the signing secret.'),
    previous_secret_until: dateTime().nullable().describe('Until then, the previous secret signs too.'),
    failing_since: dateTime().nullable().describe('The first failed attempt since the last success.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

const WithSecret = Webhook.extend({
  secret: z.string().describe('`whsec_…`, shown only once. It signs deliveries.'),
}).meta({ id: 'WebhookWithSecret' })

export const WebhookDelivery = z
  .object({
    delivery_id: id(),
    webhook_id: id(),
    event_id: id().describe('The `webhook-id` header of every attempt.'),
    event_type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempt_count: z.int(),
    next_attempt_at: dateTime().nullable(),
    last_error: z.string().nullable(),
    delivered_at: dateTime().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const WebhookAttempt = z.object({
  at: dateTime(),
  status_code: z.int().nullable().describe('Null: no response, see `error`.'),
  response: z.string().nullable().describe('The first KiB of the response.'),
  duration_ms: z.int(),
  error: z.string().nullable(),
})

const OneDelivery = WebhookDelivery.extend({
  request_body: z.string().describe('Exactly what is sent and signed.'),
  attempts: z.array(WebhookAttempt).describe('Oldest first, at most the last 30.'),
}).meta({ id: 'WebhookDeliveryWithAttempts' })
export type OneDelivery = z.output<typeof OneDelivery>

const fields = {
  url: text(1, 2_000).describe('https; http too if the instance permits private hosts.'),
  event_types: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .transform((types) => [...new Set(types)]),
  description: emptyOrText(200).nullable(),
  enabled: z.boolean(),
}
const params = z.object({ webhook_id: pathId() })
const deliveryParams = z.object({ webhook_id: pathId(), delivery_id: pathId() })
const common = { tag: 'Webhooks', errors: 'flat' } as const

export const WEBHOOK_SORTS = bothWays(['url', 'state', 'events', 'created_at'])

export const ListWebhooks = contract({
  ...common,
  id: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhooks',
  description:
    'Newest first, unless `sort` sets another order. `state`: disabled ones, failing ones, the others.',
  query: z.object({ sort: sortBy(WEBHOOK_SORTS), ...paging }),
  response: listEnvelope(Webhook),
  status: 200,
  scope: 'read',
})

export const CreateWebhook = contract({
  ...common,
  id: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook',
  description:
    'Sends future events to `url`, signed as standardwebhooks.com specifies. The response shows the `secret` only once.',
  body: z.object({
    url: fields.url,
    event_types: fields.event_types.default([...EVENT_TYPES]).describe('Default: all of them.'),
    description: fields.description.default(null),
    enabled: fields.enabled.default(true),
  }),
  response: WithSecret,
  status: 201,
  scope: 'write',
  refusals: [409],
})

export const ReadWebhook = contract({
  ...common,
  id: 'readWebhook',
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  summary: 'Read a webhook',
  params,
  response: Webhook,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateWebhook = contract({
  ...common,
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  summary: 'Change a webhook',
  description:
    'No events are stored for a disabled webhook. Waiting deliveries continue once you enable it again.',
  params,
  body: z.object({ ...fields, version: editedVersion() }).partial(),
  response: Webhook,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteWebhook = contract({
  ...common,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  summary: 'Delete a webhook',
  description: 'Deletes its deliveries too. Waiting deliveries are not sent.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})

export const RotateWebhookSecret = contract({
  ...common,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate-secret',
  summary: 'Rotate the signing secret',
  description: 'For 24 hours, every delivery is signed with both the new and the previous secret.',
  params,
  response: WithSecret,
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const TestWebhook = contract({
  ...common,
  id: 'testWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  summary: 'Send a test event',
  description: 'Sends an event of type `webhook.test`, delivered and retried like any other.',
  params,
  response: WebhookDelivery,
  status: 202,
  scope: 'write',
  refusals: [404, 409],
})

const DELIVERY_SORTS = bothWays(['event_type', 'status', 'attempt_count', 'created_at', 'next_attempt_at'])

export const ListWebhookDeliveries = contract({
  ...common,
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  summary: 'List deliveries of a webhook',
  description: 'Newest first, unless `sort` sets another order; kept for 30 days.',
  params,
  query: z.object({
    status: z.preprocess((value) => (value === '' ? undefined : value), z.enum(DELIVERY_STATUSES).optional()),
    sort: sortBy(DELIVERY_SORTS),
    ...paging,
  }),
  response: listEnvelope(WebhookDelivery),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ReadWebhookDelivery = contract({
  ...common,
  id: 'readWebhookDelivery',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  summary: 'Read a delivery with its attempts',
  params: deliveryParams,
  response: OneDelivery,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const RedeliverWebhook = contract({
  ...common,
  id: 'redeliverWebhook',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  summary: 'Redeliver an event',
  description:
    'Sends the same event with the same `webhook-id`, whatever its previous result. Retries start again.',
  params: deliveryParams,
  response: WebhookDelivery,
  status: 202,
  scope: 'write',
  refusals: [404, 409],
})
