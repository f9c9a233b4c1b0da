import { routes } from '#lib/http/route'
import { listNotificationMessages } from '#lib/operations/telling/notifications'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listNotificationMessages)
