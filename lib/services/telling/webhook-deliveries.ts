import { z } from 'zod'
import { type ListWebhookDeliveries, WebhookAttempt } from '#lib/contracts/telling/webhooks'
import { db, pool } from '#lib/db/client'
import type { WebhookDeliveryModel } from '#lib/db/generated/models'
import { firstRow, inOrder, orderBy } from '#lib/db/page'
import { AppError } from '#lib/errors'
import { findWebhook } from '#lib/services/telling/webhooks'

const Attempts = z.array(WebhookAttempt)

const EVENT = { event: { select: { type: true, at: true, data: true } } }

type Row = WebhookDeliveryModel & { event: { type: string; at: Date; data: unknown } }

const parseAttempts = (row: Row) => Attempts.parse(row.attempts)

const shown = (row: Row) => ({
  ...row,
  event_type: row.event.type,
  attempt_count: parseAttempts(row).length,
})

/** The payload that is sent and signed: the same bytes at every attempt. */
export const webhookPayload = ({ type, at, data }: { type: string; at: Date; data: unknown }): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data })

const SORTED_BY: Record<string, string> = {
  event_type: 'lower(e.type)',
  status: 'd.status',
  attempt_count: 'jsonb_array_length(d.attempts)',
  created_at: 'd.created_at',
  next_attempt_at: 'd.next_attempt_at',
}

/** Deliveries with nothing pending come last in either direction. */
const order = (sort: string) =>
  `${sort.endsWith('next_attempt_at') ? 'd.next_attempt_at IS NULL, ' : ''}${orderBy(sort, SORTED_BY, 'd.created_at DESC, d.delivery_id DESC')}`

export async function listWebhookDeliveries(
  workspaceId: string,
  webhookId: string,
  { page, page_size, status, sort = '-created_at' }: z.output<typeof ListWebhookDeliveries.query>,
) {
  await findWebhook(workspaceId, webhookId)
  const where = { webhook_id: webhookId, workspace_id: workspaceId, ...(status && { status }) }
  const [{ rows: ids }, total] = await Promise.all([
    pool().query<{ delivery_id: string }>(
      `SELECT d.delivery_id FROM webhook_deliveries d JOIN webhook_events e USING (event_id)
       WHERE d.webhook_id = $1 AND d.workspace_id = $2 AND ($3::text IS NULL OR d.status::text = $3)
       ORDER BY ${order(sort)} OFFSET $4 LIMIT $5`,
      [webhookId, workspaceId, status ?? null, firstRow({ page, page_size }), page_size],
    ),
    db.webhookDelivery.count({ where }),
  ])
  const listed = ids.map(({ delivery_id }) => delivery_id)
  const rows = await db.webhookDelivery.findMany({
    where: { ...where, delivery_id: { in: listed } },
    include: EVENT,
  })
  return {
    items: inOrder(listed, rows, ({ delivery_id }) => delivery_id).map(shown),
    total,
    page,
    page_size,
  }
}

type Ids = { webhook_id: string; delivery_id: string }

export async function getWebhookDelivery(workspaceId: string, { webhook_id, delivery_id }: Ids) {
  await findWebhook(workspaceId, webhook_id)
  const row = await db.webhookDelivery.findFirst({
    where: { delivery_id, webhook_id, workspace_id: workspaceId },
    include: EVENT,
  })
  if (!row) throw new AppError('webhook_delivery_not_found')
  return { ...shown(row), request_body: webhookPayload(row.event), attempts: parseAttempts(row) }
}

async function enabledWebhook(workspaceId: string, webhookId: string) {
  const webhook = await findWebhook(workspaceId, webhookId)
  if (!webhook.enabled)
    throw new AppError('invalid_state', { message: 'The webhook is disabled. Enable it first.' })
  return webhook
}

/** Makes a delivery due at once, under the same webhook-id, with a new retry schedule. */
export async function redeliverWebhook(workspaceId: string, ids: Ids, now: Date) {
  await getWebhookDelivery(workspaceId, ids)
  await enabledWebhook(workspaceId, ids.webhook_id)
  await db.webhookDelivery.updateMany({
    where: { delivery_id: ids.delivery_id, workspace_id: workspaceId },
    data: { status: 'pending', tries: 0, next_attempt_at: now, delivered_at: null },
  })
  return due(workspaceId, ids)
}

/** Creates a test event for this webhook only, delivered like any other. */
export async function testWebhook(workspaceId: string, webhookId: string, now: Date) {
  await enabledWebhook(workspaceId, webhookId)
  const { delivery_id } = await db.$transaction(async (tx) => {
    const data = { webhook_id: webhookId, message: 'This is a test.' }
    const { event_id } = await tx.webhookEvent.create({
      data: { workspace_id: workspaceId, type: 'webhook.test', at: now, data },
    })
    return tx.webhookDelivery.create({
      data: { webhook_id: webhookId, event_id, workspace_id: workspaceId, next_attempt_at: now },
    })
  })
  return due(workspaceId, { webhook_id: webhookId, delivery_id })
}

/** Makes the webhook due: somebody waits for the result, so an earlier failure does not delay it. */
async function due(workspaceId: string, ids: Ids) {
  await db.webhook.updateMany({ where: { webhook_id: ids.webhook_id }, data: { retry_after: null } })
  return getWebhookDelivery(workspaceId, ids)
}
