import type { z } from 'zod'
import {
  NotificationPreferences,
  type UpdateNotificationPreferences,
} from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import type { AnalyticsEmail } from '#lib/domain/analytics/email-period'
import { e164 } from '#lib/domain/text/phone-number'
import type { Maker } from '#lib/domain/workspaces/maker'
import { env } from '#lib/env'
import { invalid } from '#lib/errors'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'

/** The preferences of users who never chose: the defaults of the table. */
export const DEFAULT_PREFERENCES = {
  email_enabled: true,
  messaging_enabled: false,
  notify_on_reply: true,
  notify_on_bounce: true,
  notify_on_complaint: true,
  notify_on_assignment: true,
  notify_on_mention: true,
  analytics_email: 'off' as const,
  personal_email: null,
  messaging_number: null,
  version: 1,
}

export async function readPreferences({ workspace_id, user_id }: Maker) {
  return (
    (await db.notificationPreferences.findUnique({
      where: { workspace_id_user_id: { workspace_id, user_id } },
    })) ?? DEFAULT_PREFERENCES
  )
}

const CHAT_ID = /^(?:-?\d{4,20}|@\w{4,32})$/

/** Parses where messages go: a telephone number, or a chat id if the instance sends to chats. */
function parseAddress(said: string): string {
  if (env().MESSAGING_KIND === 'telegram' && CHAT_ID.test(said)) return said
  const number = e164(said)
  if (number) return number
  throw invalid(
    ['body', 'messaging_number'],
    'must be a phone number with country code, such as +491701234567',
  )
}

/** Sets the due time to now; the next round then computes the real one. Unchanged choices change nothing. */
function analyticsDue(before: AnalyticsEmail, chosen: AnalyticsEmail | undefined, now: Date) {
  if (chosen === undefined || chosen === before) return {}
  return { analytics_due_at: chosen === 'off' ? null : now }
}

/** Changes the given fields. The messaging channel requires an address. */
export async function updatePreferences(
  { workspace_id, user_id }: Maker,
  { version, ...body }: z.output<typeof UpdateNotificationPreferences.body>,
  now = new Date(),
) {
  const { messaging_number: said } = body
  const data = { ...body, ...(said && { messaging_number: parseAddress(said) }) }
  const where = { workspace_id_user_id: { workspace_id, user_id } }
  const write = async (tx: EditTx) => {
    const { analytics_email: before } = await tx.notificationPreferences.findUniqueOrThrow({ where })
    const row = await tx.notificationPreferences.update({
      where,
      data: { ...data, ...analyticsDue(before, body.analytics_email, now) },
    })
    if (row.messaging_enabled && !row.messaging_number)
      throw invalid(['body', 'messaging_number'], 'is needed while messaging_enabled is on', 'missing')
    return row
  }
  return edit({
    table: 'notification_preferences',
    key: { workspace_id, user_id },
    version,
    missing: 'account_not_found',
    current: async () => NotificationPreferences.parse(await readPreferences({ workspace_id, user_id })),
    first: (tx) =>
      tx.notificationPreferences.createMany({ data: { workspace_id, user_id }, skipDuplicates: true }),
    write,
  })
}
