'use server'

import type { Latest } from '#components/telling/bell-items'
import { listNotifications } from '#lib/operations/telling/notifications'
import { perform } from '../action.ts'

/** The latest notifications for the bell. */
export async function latestNotifications(): Promise<Latest> {
  const { items } = await perform(listNotifications, { query: { page_size: '10' } })
  return { items, now: new Date().toISOString() }
}
