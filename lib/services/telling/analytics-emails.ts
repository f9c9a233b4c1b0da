import type { ClientBase } from 'pg'
import { db } from '#lib/db/client'
import { keyFor, withEachKey } from '#lib/db/seal'
import { analyticsEmailToken, readAnalyticsEmailToken } from '#lib/domain/tokens/analytics-email-token'
import type { Maker } from '#lib/domain/workspaces/maker'
import { env } from '#lib/env'

const PURPOSE = 'analytics-email'

/** The link that ends the analytics emails with one click, signed in or not. */
export const stopUrl = ({ workspace_id, user_id }: Maker) =>
  `${env().APP_URL}/analytics-email/${analyticsEmailToken({ workspace_id, user_id }, keyFor(PURPOSE))}`

const whose = (token: string) => withEachKey(PURPOSE, (key) => readAnalyticsEmailToken(token, key))

/** Whether the emails are still on; null for an invalid link. */
export async function readAnalyticsEmail(token: string): Promise<{ comes: boolean } | null> {
  const reader = whose(token)
  if (!reader) return null
  const row = await db.notificationPreferences.findUnique({
    where: { workspace_id_user_id: reader },
    select: { analytics_email: true },
  })
  return { comes: row !== null && row.analytics_email !== 'off' }
}

/** Turns the emails off; repeating is harmless. False for an invalid link. */
export async function stopAnalyticsEmail(token: string): Promise<boolean> {
  const reader = whose(token)
  if (!reader) return false
  await db.notificationPreferences.updateMany({
    where: { ...reader, analytics_email: { not: 'off' } },
    data: { analytics_email: 'off', analytics_due_at: null, version: { increment: 1 } },
  })
  return true
}

/** For a restored database: emails that fell due since the backup were already sent, so the next one is that of the current period. */
export async function passRestoredAnalytics(client: ClientBase): Promise<void> {
  await client.query(
    'UPDATE notification_preferences SET analytics_due_at = now() WHERE analytics_due_at < now()',
  )
}
