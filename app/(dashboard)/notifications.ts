'use server'

import type { Latest } from '#components/notifications/bell'
import { ListNotifications } from '#lib/contracts/notifications'
import { requireUser } from '#lib/http/session'
import { listNotifications } from '#lib/services/notifications'
import { withThreads } from '#lib/services/notifications/threads'

const NEWEST = ListNotifications.query.parse({ page_size: 10 })

/** For the bell. */
export async function latestNotifications(): Promise<Latest> {
  const { user_id } = await requireUser()
  const { items } = ListNotifications.response.parse(await listNotifications(user_id, NEWEST))
  return { items: await withThreads(user_id, items), now: new Date().toISOString() }
}
