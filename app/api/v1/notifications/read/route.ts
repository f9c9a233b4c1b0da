import { routes } from '#lib/http/route'
import { markAllNotificationsRead } from '#lib/operations/telling/notifications'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(markAllNotificationsRead)
