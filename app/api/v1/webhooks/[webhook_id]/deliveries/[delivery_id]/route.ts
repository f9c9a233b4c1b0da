import { routes } from '#lib/http/route'
import { readWebhookDelivery } from '#lib/operations/webhooks'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readWebhookDelivery)
