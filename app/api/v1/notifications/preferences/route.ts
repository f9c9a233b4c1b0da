import { routes } from '#lib/http/route'
import {
  readNotificationPreferences,
  updateNotificationPreferences,
} from '#lib/operations/telling/notifications'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  readNotificationPreferences,
  updateNotificationPreferences,
)
