import type { Notification } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'

type About = Pick<Notification, 'campaign_lead_id'>

/** Each with the conversation that its lead is in, the newest where there are two; null where there is none. */
export async function withThreads<T extends About>(
  workspaceId: string,
  notifications: T[],
): Promise<(T & { thread_id: string | null })[]> {
  const leads = notifications.flatMap(({ campaign_lead_id }) => campaign_lead_id ?? [])
  const threads = await db.thread.findMany({
    where: { workspace_id: workspaceId, campaign_lead_id: { in: leads } },
    orderBy: { last_message_at: 'asc' },
    select: { thread_id: true, campaign_lead_id: true },
  })
  const newest = new Map(threads.map(({ campaign_lead_id, thread_id }) => [campaign_lead_id, thread_id]))
  return notifications.map((one) => ({
    ...one,
    thread_id: (one.campaign_lead_id && newest.get(one.campaign_lead_id)) || null,
  }))
}
