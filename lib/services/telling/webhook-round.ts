import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { postOutbound } from '#lib/providers/outbound-http'
import { isStopping } from '#lib/services/instance/stopping'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'

/** One call of a background function stays well below the time that a host gives it. */
const ROUND_MS = 20_000
/** While events come in, the next ones are not left to the sweep of the next minute. */
const SOON_MS = 3_000
const LIVELY_MS = 120_000
const KEPT_MS = 30 * 86_400_000

/** Attempts what is due for a while. Answers when to come back before `until` (ISO), or null where the next sweep will do. */
export async function deliverRound(until: Date): Promise<{ attempts: number; wake_at: string | null }> {
  const end = new Date(Math.min(until.getTime(), Date.now() + ROUND_MS))
  const { attempts } = await deliverWebhooks({
    pool: pool(),
    post: (post) => postOutbound(post, { policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } }),
    clock: () => new Date(),
    until: end,
    stopping: isStopping,
    chance: () => randomInt(1_000) / 1_000,
  })
  const now = new Date()
  await forgetOldEvents(pool(), now)
  const wake = await nextLook(pool(), now)
  return { attempts, wake_at: wake && wake < until ? wake.toISOString() : null }
}

/** When something may be due next; null while nothing waits and nothing has come in lately. */
async function nextLook(from: Pool, now: Date): Promise<Date | null> {
  const { rows } = await from.query<{ due: Date | null; newest: Date | null }>(
    `SELECT min(greatest(due.next_attempt_at, w.retry_after, w.lease_until)) AS due, max(newest.created_at) AS newest
     FROM webhooks w
     LEFT JOIN LATERAL (SELECT next_attempt_at FROM webhook_deliveries d
       WHERE d.webhook_id = w.webhook_id AND d.status = 'pending' ORDER BY next_attempt_at LIMIT 1) due ON true
     LEFT JOIN LATERAL (SELECT created_at FROM webhook_deliveries d
       WHERE d.webhook_id = w.webhook_id ORDER BY created_at DESC LIMIT 1) newest ON true
     WHERE w.enabled AND newest.created_at IS NOT NULL`,
  )
  const due = rows[0]?.due?.getTime() ?? Number.POSITIVE_INFINITY
  const isLively = (rows[0]?.newest?.getTime() ?? 0) > now.getTime() - LIVELY_MS
  const next = Math.min(due, isLively ? now.getTime() + SOON_MS : Number.POSITIVE_INFINITY)
  // Not before the next second, so that what cannot be served at once does not make this spin.
  return Number.isFinite(next) ? new Date(Math.max(next, now.getTime() + 1_000)) : null
}

/** With their deliveries, some at a time. */
async function forgetOldEvents(from: Pool, now: Date): Promise<void> {
  await from.query(
    `DELETE FROM webhook_events WHERE event_id IN (
       SELECT event_id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT 5000)`,
    [new Date(now.getTime() - KEPT_MS)],
  )
}
