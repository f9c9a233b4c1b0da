import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import {
  type CreateWebhook,
  type ListWebhooks,
  type UpdateWebhook,
  Webhook,
} from '#lib/contracts/telling/webhooks'
import { db } from '#lib/db/client'
import type { WebhookModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { seal } from '#lib/db/seal'
import { type Orders, sortedPage } from '#lib/domain/text/row-order'
import { env } from '#lib/env'
import { AppError, invalid } from '#lib/errors'
import { namesPrivateHost } from '#lib/providers/outbound'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'

/** Per owner; each webhook is checked at every event. */
export const MAX_WEBHOOKS = 50
/** How long the previous secret signs alongside the new one. */
const OVERLAP_MS = 24 * 60 * 60_000

/** A webhook as responses show it, without its secrets. */
const shown = ({ secret: _secret, previous_secret: _previous, ...row }: WebhookModel) => ({
  ...row,
  disabled_reason: Webhook.shape.disabled_reason.parse(row.disabled_reason),
})

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secretColumns = (secret: string) => ({ secret: seal(secret), secret_hint: secret.slice(-4) })
/** Columns of a new random secret. */
export const freshSecret = () => secretColumns(newSecret())

/**
 * Checks the URL itself. The host's resolved address is checked at every call. Plain http is refused, because it would expose what people
 * wrote to anyone on the path.
 */
function checkUrl(text: string): string {
  const refuse = (msg: string) => invalid(['body', 'url'], msg)
  if (!URL.canParse(text)) throw refuse('must be an absolute address, such as https://example.com/hook')
  const url = new URL(text)
  const { ALLOW_PRIVATE_HOSTS } = env()
  if (url.protocol !== 'https:' && !(ALLOW_PRIVATE_HOSTS && url.protocol === 'http:'))
    throw refuse('must begin with https://')
  if (url.username || url.password) throw refuse('must not contain a user name or password')
  if (!ALLOW_PRIVATE_HOSTS && namesPrivateHost(url.hostname))
    throw refuse('must not be a private address, unless ALLOW_PRIVATE_HOSTS allows it')
  url.hash = ''
  return url.href
}

/** Whether a URL is allowed for a webhook. */
export function isWebhookUrl(text: string): boolean {
  try {
    return checkUrl(text) !== ''
  } catch {
    return false
  }
}

const ORDERS: Orders<ReturnType<typeof shown>> = {
  url: ({ url }) => url,
  state: ({ enabled, failing_since }) => (enabled ? (failing_since ? 1 : 2) : 0),
  events: ({ event_types }) => event_types.length,
  created_at: ({ created_at }) => created_at,
}

export async function listWebhooks(
  workspaceId: string,
  { sort, ...page }: z.output<typeof ListWebhooks.query>,
) {
  const where = { workspace_id: workspaceId }
  const [rows, total] = await Promise.all([
    db.webhook.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { webhook_id: 'desc' }],
      ...(sort ? {} : rowsOfPage(page)),
    }),
    db.webhook.count({ where }),
  ])
  return { items: sortedPage(rows.map(shown), ORDERS, { sort, ...page }), total, ...page }
}

/** The row itself, with its sealed secrets: for services only. */
export async function findWebhook(workspaceId: string, webhookId: string): Promise<WebhookModel> {
  const row = await db.webhook.findFirst({ where: { webhook_id: webhookId, workspace_id: workspaceId } })
  if (!row) throw new AppError('webhook_not_found')
  return row
}

export async function getWebhook(workspaceId: string, webhookId: string) {
  return shown(await findWebhook(workspaceId, webhookId))
}

/** Creates a webhook and returns its secret, which is never shown again. */
export async function createWebhook(
  workspaceId: string,
  body: z.output<typeof CreateWebhook.body>,
  now: Date,
) {
  const url = checkUrl(body.url)
  const secret = newSecret()
  const off = body.enabled ? {} : { disabled_reason: 'user', disabled_at: now }
  const row = await db.$transaction(async (tx) => {
    // Serializes concurrent creations, which would all see room for one more.
    await tx.$queryRaw`SELECT workspace_id FROM workspaces WHERE workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE`
    if ((await tx.webhook.count({ where: { workspace_id: workspaceId } })) >= MAX_WEBHOOKS)
      throw new AppError('invalid_state', {
        message: `You have ${MAX_WEBHOOKS} webhooks, the maximum. Delete one first.`,
      })
    return tx.webhook.create({
      data: { ...body, ...off, ...secretColumns(secret), url, workspace_id: workspaceId },
    })
  })
  return { ...shown(row), secret }
}

/** Updates a webhook. Enabling clears its errors; pending deliveries keep their due times. */
export async function updateWebhook(
  workspaceId: string,
  webhookId: string,
  { url, enabled, version, ...fields }: z.output<typeof UpdateWebhook.body>,
  now: Date,
) {
  const key = { webhook_id: webhookId, workspace_id: workspaceId }
  const fresh = { failures: 0, failing_since: null, retry_after: null }
  const write = async (tx: EditTx) => {
    const before = await tx.webhook.findFirstOrThrow({ where: key })
    const switched = {
      ...(enabled === true && { enabled, disabled_reason: null, disabled_at: null }),
      ...(enabled === false && before.enabled && { enabled, disabled_reason: 'user', disabled_at: now }),
    }
    const isNew = (enabled && !before.enabled) || (url !== undefined && url !== before.url)
    return tx.webhook.update({
      where: key,
      data: { ...fields, ...switched, ...(url !== undefined && { url: checkUrl(url) }), ...(isNew && fresh) },
    })
  }
  const row = await edit({
    table: 'webhooks',
    key,
    version,
    missing: 'webhook_not_found',
    current: async () => Webhook.parse(await getWebhook(workspaceId, webhookId)),
    write,
  })
  return shown(row)
}

export async function deleteWebhook(workspaceId: string, webhookId: string): Promise<void> {
  const { count } = await db.webhook.deleteMany({
    where: { webhook_id: webhookId, workspace_id: workspaceId },
  })
  if (count === 0) throw new AppError('webhook_not_found')
}

/** The new secret signs from now on; the previous one also signs for a day. */
export async function rotateWebhookSecret(workspaceId: string, webhookId: string, now: Date) {
  const before = await findWebhook(workspaceId, webhookId)
  const secret = newSecret()
  const [row] = await db.webhook.updateManyAndReturn({
    // Of two concurrent rotations, one would replace a secret that its caller never saw.
    where: { webhook_id: webhookId, workspace_id: workspaceId, secret: before.secret },
    data: {
      ...secretColumns(secret),
      previous_secret: before.secret,
      previous_secret_until: new Date(now.getTime() + OVERLAP_MS),
    },
  })
  if (!row) throw new AppError('conflict')
  return { ...shown(row), secret }
}
