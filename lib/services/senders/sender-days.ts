import { db } from '#lib/db/client'
import { formatDay, loadZone, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import { senderUses } from '#lib/services/senders/sender-uses'

/** The sends of some of an owner's senders on their last seven dates, when the current date ends, and which campaigns used it. */
export async function senderDays(workspaceId: string, senderIds: string[], now: Date) {
  const { timezone } = await db.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: { timezone: true },
  })
  const zone = loadZone(timezone)
  const today = toDay(zone, now.getTime())
  const days = await db.senderDay.findMany({
    where: { sender_id: { in: senderIds }, local_date: { gt: new Date(formatDay(today - 7)) } },
  })
  const resets_at = new Date(startOfDay(zone, today + 1))
  const listUses = await senderUses(workspaceId, senderIds, new Date(startOfDay(zone, today)), resets_at)
  return { timezone, zone, today, days, resets_at, listUses }
}
