'use server'

import type { Latest } from '#components/telling/bell'
import { ListNotifications } from '#lib/contracts/telling/notifications'
import { requireUser } from '#lib/http/session'
import { withThreads } from '#lib/services/telling/notification-threads'
import { listNotifications } from '#lib/services/telling/notifications'

const NEWEST = ListNotifications.query.parse({ page_size: 10 })

/** For the bell. */
export async function latestNotifications(): Promise<Latest> {
  const { user_id } = await requireUser()
  const { items } = ListNotifications.response.parse(await listNotifications(user_id, NEWEST))
  return { items: await withThreads(user_id, items), now: new Date().toISOString() }
}
