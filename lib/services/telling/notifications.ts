import { z } from 'zod'
import {
  type ListNotificationMessages,
  type ListNotifications,
  Notification,
} from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import type { NotificationModel } from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { digestSentence } from '#lib/domain/telling/notification-digest'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import type { EditTx } from '#lib/services/instance/versioned-edit'
import { shownMessage } from '#lib/services/telling/notification-queue'
import { withThreads } from '#lib/services/telling/notification-threads'

/** Which fields are present depends on the kind. */
const Data = z.object({
  email: z.string().nullish(),
  name: z.string().nullish(),
  address: z.string().nullish(),
  reason: z.string().nullish(),
  by: z.string().nullish(),
})

/** `names` maps campaign ids to names: the row itself keeps the name only if the notification is about the campaign. */
function shown(row: NotificationModel, names: Map<string, string>) {
  const data = Data.parse(row.data)
  const name = data.name ?? data.address ?? names.get(row.campaign_id ?? '') ?? null
  const emails = data.email ? [data.email] : []
  const { by, reason = null } = data
  const text = digestSentence({ kind: row.kind, count: 1, name, reason, emails, by })
  return { ...row, kind: Notification.shape.kind.parse(row.kind), text }
}

async function withContext(workspaceId: string, rows: NotificationModel[]) {
  const ids = [...new Set(rows.flatMap(({ campaign_id }) => campaign_id ?? []))]
  const campaigns = await db.campaign.findMany({
    where: { campaign_id: { in: ids }, workspace_id: workspaceId },
    select: { campaign_id: true, name: true },
  })
  const names = new Map(campaigns.map(({ campaign_id, name }) => [campaign_id, name]))
  return withThreads(
    workspaceId,
    rows.map((row) => shown(row, names)),
  )
}

/** Notifications for all members, and those for this person. */
const forPerson = ({ workspace_id, user_id }: Maker) => ({
  workspace_id,
  OR: [{ user_id: null }, { user_id }],
})

export async function listNotifications(
  user: Maker,
  { page, page_size, unread }: z.output<typeof ListNotifications.query>,
) {
  const where = { ...forPerson(user), ...(unread === 'true' && { read_at: null }) }
  const [rows, total] = await Promise.all([
    db.notification.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { notification_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.notification.count({ where }),
  ])
  return { items: await withContext(user.workspace_id, rows), total, page, page_size }
}

export const countUnreadNotifications = (user: Maker): Promise<number> =>
  db.notification.count({ where: { ...forPerson(user), read_at: null } })

/** Marks a notification as read; the first time is kept. */
export async function markRead(user: Maker, notificationId: string, now: Date) {
  const where = { notification_id: notificationId, ...forPerson(user) }
  await db.notification.updateMany({ where: { ...where, read_at: null }, data: { read_at: now } })
  const row = await db.notification.findFirst({ where })
  const [notification] = row ? await withContext(user.workspace_id, [row]) : []
  if (!notification) throw new AppError('notification_not_found')
  return notification
}

/** Marks the notifications about conversations as read: replies of their leads, and those that name the conversation. */
export async function markThreadRead(tx: EditTx, user: Maker, threadIds: string[], now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE notifications n SET read_at = ${now} FROM threads t
    WHERE t.workspace_id = ${user.workspace_id}::uuid AND t.thread_id = ANY(${threadIds}::uuid[])
      AND n.workspace_id = t.workspace_id AND n.read_at IS NULL
      AND (n.user_id IS NULL OR n.user_id = ${user.user_id}::uuid)
      AND (n.data ->> 'thread_id' = t.thread_id::text
        OR (n.kind IN ('reply', 'reply_intent') AND n.campaign_lead_id = t.campaign_lead_id))`
}

export async function markAllRead(user: Maker, now: Date): Promise<{ marked: number }> {
  const { count } = await db.notification.updateMany({
    where: { ...forPerson(user), read_at: null },
    data: { read_at: now },
  })
  return { marked: count }
}

export async function listMessages(
  { workspace_id, user_id }: Maker,
  { page, page_size }: z.output<typeof ListNotificationMessages.query>,
) {
  const where = { workspace_id, user_id }
  const [rows, total] = await Promise.all([
    db.notificationMessage.findMany({
      where,
      orderBy: [{ created_at: 'desc' }, { notification_message_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.notificationMessage.count({ where }),
  ])
  return { items: rows.map(shownMessage), total, page, page_size }
}
