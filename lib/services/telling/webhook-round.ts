import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { postOutbound } from '#lib/providers/outbound-http'
import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { deliverWebhooks } from '#lib/services/telling/deliver-webhook'

const KEPT_MS = 30 * 86_400_000

/** Attempts due deliveries for a while. Returns whether time ran out before all were attempted. */
export async function deliverRound(): Promise<{ attempts: number; goes_on: boolean }> {
  const until = roundEnd(new Date())
  const { attempts } = await deliverWebhooks({
    pool: pool(),
    post: (post) => postOutbound(post, { policy: { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS } }),
    clock: () => new Date(),
    until,
    stopping: isStopping,
    chance: () => randomInt(1_000) / 1_000,
  })
  await forgetOldEvents(pool(), new Date())
  return { attempts, goes_on: new Date() >= until }
}

/** Deletes old events with their deliveries, a batch at a time. */
async function forgetOldEvents(from: Pool, now: Date): Promise<void> {
  await from.query(
    `DELETE FROM webhook_events WHERE event_id IN (
       SELECT event_id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT 5000)`,
    [new Date(now.getTime() - KEPT_MS)],
  )
}
