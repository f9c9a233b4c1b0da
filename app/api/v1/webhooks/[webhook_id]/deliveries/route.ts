import { routes } from '#lib/http/route'
import { listWebhookDeliveries } from '#lib/operations/telling/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listWebhookDeliveries)
