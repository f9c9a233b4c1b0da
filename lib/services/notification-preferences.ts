import type { z } from 'zod'
import type { UpdateNotificationPreferences } from '#lib/contracts/notifications'
import { db } from '#lib/db/client'
import { invalid } from '#lib/errors'

/** What counts for whoever never chose: the defaults of the table. */
export const DEFAULT_PREFERENCES = {
  email_enabled: true,
  messaging_enabled: false,
  notify_on_reply: true,
  notify_on_bounce: true,
  notify_on_complaint: true,
  personal_email: null,
  messaging_number: null,
}

export async function readPreferences(userId: string) {
  return (await db.notificationPreferences.findUnique({ where: { user_id: userId } })) ?? DEFAULT_PREFERENCES
}

/** What is given is changed. Messages need somewhere to go. */
export async function updatePreferences(
  userId: string,
  body: z.output<typeof UpdateNotificationPreferences.body>,
) {
  return db.$transaction(async (tx) => {
    const row = await tx.notificationPreferences.upsert({
      where: { user_id: userId },
      create: { ...body, user_id: userId },
      update: body,
    })
    if (row.messaging_enabled && !row.messaging_number)
      throw invalid(['body', 'messaging_number'], 'is needed while messaging_enabled is on', 'missing')
    return row
  })
}
