import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { composeAnalyticsEmail } from '#lib/domain/analytics/analytics-email'
import { lastPeriod, nextDue, type Rhythm } from '#lib/domain/analytics/email-period'
import { loadZone } from '#lib/domain/calendar/zoned-time'
import { env } from '#lib/env'
import { readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { stopUrl } from '#lib/services/telling/analytics-emails'
import type { Channels } from '#lib/services/telling/notification-channels'
import { listRecipients, type Preferences, queueMessages } from '#lib/services/telling/notification-queue'

const MOST_AT_ONCE = 200
const NO_FILTERS = { campaign_id: undefined, dataset_id: undefined, sender_id: undefined, user_id: undefined }

type Reader = Preferences & {
  workspace_id: string
  user_id: string
  analytics_email: Rhythm
  analytics_due_at: Date
  may_see: boolean
  workspace_name: string
  slug: string
  timezone: string
}

/**
 * Queues the analytics emails of the last week or month that are due, and returns how many. Someone who subscribes in the middle of a
 * period gets the first email at its end. After an outage only the newest missed email is sent.
 */
export async function queueAnalyticsEmails(
  channels: Channels,
  now: Date,
): Promise<{ queued: number; goes_on: boolean }> {
  const { rows } = await pool().query<Reader>(
    `SELECT p.*, u.email, coalesce(m.role <> 'client', false) AS may_see, w.name AS workspace_name, w.slug, w.timezone
     FROM notification_preferences p JOIN users u USING (user_id) JOIN workspaces w USING (workspace_id)
     LEFT JOIN members m USING (workspace_id, user_id)
     WHERE p.analytics_due_at <= $1 AND p.analytics_email <> 'off'
     ORDER BY p.analytics_due_at LIMIT ${MOST_AT_ONCE}`,
    [now],
  )
  let queued = 0
  for (const reader of rows) queued += await queueOne(reader, channels, now)
  return { queued, goes_on: rows.length === MOST_AT_ONCE }
}

async function queueOne(reader: Reader, channels: Channels, now: Date): Promise<number> {
  const { workspace_id, user_id, analytics_email: rhythm, analytics_due_at, timezone, slug } = reader
  const zone = loadZone(timezone)
  const { from, to, due_at, period } = lastPeriod(rhythm, zone, now)
  const recipients = reader.may_see
    ? listRecipients(reader, channels).filter(({ channel }) => channel === 'email')
    : []
  const isDue = due_at >= analytics_due_at && recipients.length > 0
  const analytics = isDue
    ? await readWorkspaceAnalytics(workspace_id, { ...NO_FILTERS, from, to }, now)
    : null
  const draft =
    analytics && analytics.totals.sent > 0
      ? composeAnalyticsEmail(reader.workspace_name, analytics, {
          home: `${env().APP_URL}/w/${slug}`,
          stop: stopUrl(reader),
        })
      : null
  return inTransaction(pool(), async (client) => {
    // If two workers, or a worker and a person who changes the preference, race, the first write wins.
    const { rowCount } = await client.query(
      `UPDATE notification_preferences SET analytics_due_at = $4
       WHERE workspace_id = $1 AND user_id = $2 AND analytics_due_at = $3 AND analytics_email = $5`,
      [workspace_id, user_id, analytics_due_at, reader.may_see ? nextDue(rhythm, zone, now) : null, rhythm],
    )
    if (rowCount === 0 || !draft) return 0
    const queued = await queueMessages(
      client,
      reader,
      recipients,
      { kind: 'analytics', period, ...draft },
      now,
    )
    return queued.length
  })
}
