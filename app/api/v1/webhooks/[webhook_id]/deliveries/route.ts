import { routes } from '#lib/http/route'
import { listWebhookDeliveries } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listWebhookDeliveries)
