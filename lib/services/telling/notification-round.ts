import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { isStopping } from '#lib/services/instance/stopping'
import { gatherDigests } from '#lib/services/telling/gather-notifications'
import { channels } from '#lib/services/telling/notification-channels'
import { sendMessages } from '#lib/services/telling/send-notification'

const ROUND_MS = 25_000
const KEPT_MS = 90 * 86_400_000

/** Gathers what owners are to be told, and sends it. The next minute goes on with what is left. */
export async function notifyRound(): Promise<{ queued: number; offered: number }> {
  const ways = channels()
  const queued = await gatherDigests(pool(), env().APP_URL, ways, new Date())
  const until = new Date(Date.now() + ROUND_MS)
  const options = { pool: pool(), channels: ways, clock: () => new Date(), until, stopping: isStopping }
  const offered = await sendMessages(options)
  await forgetOld(new Date(Date.now() - KEPT_MS))
  return { queued, offered }
}

async function forgetOld(before: Date): Promise<void> {
  await pool().query(
    `DELETE FROM notifications WHERE notification_id IN (
       SELECT notification_id FROM notifications WHERE created_at < $1 ORDER BY created_at LIMIT 5000)`,
    [before],
  )
}
