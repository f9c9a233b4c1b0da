import { afterEach, beforeEach } from 'vitest'
import { CreateWebhook } from '#lib/contracts/telling/webhooks'
import { db, pool } from '#lib/db/client'
import { type HttpAnswer, type HttpPost, postOutbound } from '#lib/providers/outbound-http'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'
import { createWebhook } from '#lib/services/telling/webhooks'
import { receiver } from '#tests/support/servers/receiver'

// Set before any module reads the environment: the receivers run on this machine.
process.env.ALLOW_PRIVATE_HOSTS = '1'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const DAY = 24 * 60 * MINUTE
/** Later than any timestamp that the database sets during a test; signature checks allow a clock difference of five minutes. */
let start = 0
beforeEach(() => {
  start = Date.now() + 3 * MINUTE
})
export const later = (ms: number) => new Date(start + ms)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await db.webhookEvent.deleteMany()
  await db.webhook.deleteMany()
  await db.campaign.deleteMany()
  await Promise.all(closing.splice(0).map((close) => close()))
})

export type User = { workspace_id: string; user_id: string }

export async function aReceiver(...answer: Parameters<typeof receiver>) {
  const made = await receiver(...answer)
  closing.push(made.close)
  return made
}

export const listen = (owner: User, url: string, fields: Record<string, unknown> = {}) =>
  createWebhook(owner.workspace_id, CreateWebhook.body.parse({ url, ...fields }), later(0))

export const local = (post: HttpPost) => postOutbound(post, { policy: { allow_private_hosts: true } })

/** One worker that attempts the deliveries due at an instant; its clock stands still. */
export const deliverAt = (ms: number, post = local) =>
  deliverWebhooks({
    pool: pool(),
    post,
    clock: () => later(ms),
    until: later(ms + DAY),
    chance: () => 0.5,
  })

export const answering = (status: number) => async (): Promise<HttpAnswer> => ({
  status,
  response: 'as told',
  bytes: Buffer.alloc(0),
  retry_after: null,
})

export const onlyDelivery = async (owner: User) =>
  db.webhookDelivery.findFirstOrThrow({
    where: { workspace_id: owner.workspace_id },
    include: { event: true },
  })
export const webhookOf = ({ webhook_id }: { webhook_id: string }) =>
  db.webhook.findUniqueOrThrow({ where: { webhook_id } })
