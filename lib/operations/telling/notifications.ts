import {
  ListNotificationMessages,
  ListNotifications,
  MarkAllNotificationsRead,
  MarkNotificationRead,
  ReadNotificationPreferences,
  SendTestNotification,
  UpdateNotificationPreferences,
} from '#lib/contracts/telling/notifications'
import { operation } from '#lib/operations/operation'
import * as preferences from '#lib/services/telling/notification-preferences'
import { sendTest } from '#lib/services/telling/notification-queue'
import * as service from '#lib/services/telling/notifications'

export const readNotificationPreferences = operation(ReadNotificationPreferences, ({ user }) =>
  preferences.readPreferences(user),
)
export const updateNotificationPreferences = operation(UpdateNotificationPreferences, ({ user, body, now }) =>
  preferences.updatePreferences(user, body, now),
)
export const listNotifications = operation(ListNotifications, ({ user, query }) =>
  service.listNotifications(user, query),
)
export const markNotificationRead = operation(MarkNotificationRead, ({ user, params, now }) =>
  service.markRead(user, params.notification_id, now),
)
export const markAllNotificationsRead = operation(MarkAllNotificationsRead, ({ user, now }) =>
  service.markAllRead(user, now),
)
export const listNotificationMessages = operation(ListNotificationMessages, ({ user, query }) =>
  service.listMessages(user, query),
)
export const sendTestNotification = operation(SendTestNotification, ({ user, now }) => sendTest(user, now))
