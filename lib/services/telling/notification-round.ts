import { pool } from '#lib/db/client'
import { env } from '#lib/env'
import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { gatherDigests } from '#lib/services/telling/gather-notifications'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'
import { channels } from '#lib/services/telling/notification-channels'
import { sendMessages } from '#lib/services/telling/send-notification'

const KEPT_MS = 90 * 86_400_000

/** Gathers pending notifications and sends them. Returns whether time ran out before all were sent. */
export async function notifyRound(
  mailbox: NoticeMailbox,
): Promise<{ queued: number; offered: number; goes_on: boolean }> {
  const ways = channels()
  const queued = await gatherDigests(pool(), env().APP_URL, ways, new Date())
  const until = roundEnd(new Date())
  const options = {
    pool: pool(),
    channels: ways,
    clock: () => new Date(),
    until,
    stopping: isStopping,
    mailbox,
  }
  const offered = await sendMessages(options)
  await forgetOld(new Date(Date.now() - KEPT_MS))
  return { queued, offered, goes_on: new Date() >= until }
}

async function forgetOld(before: Date): Promise<void> {
  await pool().query(
    `DELETE FROM notifications WHERE notification_id IN (
       SELECT notification_id FROM notifications WHERE created_at < $1 ORDER BY created_at LIMIT 5000)`,
    [before],
  )
}
