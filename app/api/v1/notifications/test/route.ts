import { routes } from '#lib/http/route'
import { sendTestNotification } from '#lib/operations/telling/notifications'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(sendTestNotification)
