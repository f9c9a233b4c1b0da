import type { Notification } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { asRecord } from '#lib/domain/text/record'

type About = Pick<Notification, 'campaign_lead_id'> & { data?: unknown }

/** The conversation that a notification itself names. */
function namedThread({ data }: About): string | null {
  const { thread_id } = asRecord(data)
  return typeof thread_id === 'string' ? thread_id : null
}

/** Adds to each item its lead's conversation, the newest if there are several; null if there is none. */
export async function withThreads<T extends About>(
  workspaceId: string,
  notifications: T[],
): Promise<(T & { thread_id: string | null })[]> {
  const leads = notifications.flatMap(({ campaign_lead_id }) => campaign_lead_id ?? [])
  const named = notifications.flatMap((one) => namedThread(one) ?? [])
  const threads = await db.thread.findMany({
    where: {
      workspace_id: workspaceId,
      OR: [{ campaign_lead_id: { in: leads } }, { thread_id: { in: named } }],
    },
    orderBy: { last_message_at: 'asc' },
    select: { thread_id: true, campaign_lead_id: true },
  })
  const newest = new Map(threads.map(({ campaign_lead_id, thread_id }) => [campaign_lead_id, thread_id]))
  const known = new Set(threads.map(({ thread_id }) => thread_id))
  return notifications.map((one) => {
    const named_thread = namedThread(one)
    const of_lead = one.campaign_lead_id && newest.get(one.campaign_lead_id)
    return { ...one, thread_id: named_thread && known.has(named_thread) ? named_thread : of_lead || null }
  })
}
